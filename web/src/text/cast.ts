// The speakers of a book in words.
import * as m from '../i18n/messages/cast';

/** How certain it is that quotes are a speaker's, with the color of its badge. The highest limit is the service's own. */
export function certainty(confidence: number): [text: string, color: string] {
  if (confidence >= 0.9) return [m.sure(), 'good'];
  return confidence >= 0.7 ? [m.likely(), ''] : [m.guess(), 'warn'];
}

/** The name that the service gives to a narrator in the first person. */
const FIRST_PERSON = 'Narrator';
/** A name as it is shown. The voice that reads the book is the narrator as well. */
export const speakerName = (name: string, isNamedInText: boolean): string => (name === FIRST_PERSON && !isNamedInText ? m.narratorI() : name);
