// What is wrong with a document, in words. The service explains it in English; other languages have a text for each of its codes.
import type { Schemas } from '../api/types';
import { currentLanguage } from '../i18n/language.svelte';
import * as m from '../i18n/messages/book';
import { codeMessage } from './errors';

export const failureText = ({ code, message }: Schemas['MaterialFailure']): string => (currentLanguage() === 'en' ? message : codeMessage(code)) || message;

/** What the user can do about a material that failed with this code. */
export const failureAdvice = (code: string): string => (code === 'material_unreadable' ? m.adviceFormat() : m.adviceAgain());

const WARNINGS: Record<Schemas['MaterialWarningCode'], (values: { count: number }) => string> = { unspoken_script: m.unspokenLetters, unspoken_symbol: m.unspokenSigns, unread_page: m.unreadPages };
/** The service's English names the scripts as well. */
export const warningText = ({ code, message, count }: Schemas['MaterialWarning']): string => (currentLanguage() === 'en' ? message : WARNINGS[code]?.({ count })) || message;
