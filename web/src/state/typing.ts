// Changes of a text field that its undo knows.
import type { Insertion } from '../text/insertion';

/** Inserts as if it was typed: setting `value` would empty the undo history of the browser. */
export function insert(field: HTMLTextAreaElement, { from, to, text, back = 0 }: Insertion): void {
  field.focus();
  field.setSelectionRange(from, to);
  // Deprecated, but the only way that keeps the history, and all browsers have it.
  if (!(text ? document.execCommand('insertText', false, text) : document.execCommand('delete'))) {
    field.setRangeText(text, from, to, 'end');
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  const caret = from + text.length - back;
  field.setSelectionRange(caret, caret);
}
