// Genders and engines of voices in words.
import * as m from '../i18n/messages/voicefilter';

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const GENDERS: Record<string, () => string> = { female: m.female, male: m.male, neutral: m.neutral };
export const genderName = (gender: string | null | undefined): string => (gender ? (GENDERS[gender]?.() ?? capitalize(gender)) : m.notStated());
export const engineName = (engine: string): string => (engine === 'upstream' ? m.external() : capitalize(engine));
