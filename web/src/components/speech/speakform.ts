// What the form of a text needs besides the text: it comes with the voices, so that the page is there sooner and nothing moves.
export { default as MarkupTools } from './MarkupTools.svelte';
export { default as SpeakActions, makeSpeech } from './SpeakActions.svelte';
export { default as SpeechOptions } from './SpeechOptions.svelte';
export { removalOfSpeaker } from '../../text/insertion';
export { toSsml } from '../../text/ssml';
