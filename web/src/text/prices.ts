// What a voice costs, in words.
import type { Voice } from '../api/types';
import { perCharacter } from '../i18n/messages/common';
import { credits } from './format';

export const pricePerCharacter = (voice: Voice): string => perCharacter({ credits: credits(voice.price_per_character) });
