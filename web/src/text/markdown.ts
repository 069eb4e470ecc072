// Parses the subset of Markdown that terms and privacy policies use into data. No part of a document becomes HTML: unknown syntax
// is shown as text.
export type Span =
  | { kind: 'text' | 'strong' | 'em' | 'code'; text: string }
  | { kind: 'link'; text: string; href: string };

export type Block =
  | { kind: 'heading'; level: number; spans: Span[] }
  | { kind: 'paragraph'; spans: Span[] }
  | { kind: 'list'; ordered: boolean; items: Item[] }
  | { kind: 'table'; head: Span[][]; rows: Span[][][] }
  | { kind: 'quote'; spans: Span[] }
  | { kind: 'code'; text: string }
  | { kind: 'rule' };

/** An item of a list. `number` is the one in the document, because other text may refer to it. */
type Item = { number: number | null; spans: Span[]; children: Block[] };

const INLINE = /(`[^`]+`)|(\*\*[^*]+\*\*|__[^_]+__)|(\*[^*\s][^*]*\*|\b_[^_\s][^_]*_\b)|(\[[^\]]*\]\([^()\s]*\))/;

/** Whether a URL is safe to link to. */
const isSafeUrl = (href: string): boolean => /^(https?:\/\/|mailto:)/i.test(href);

function parseSpans(text: string): Span[] {
  const spans: Span[] = [];
  let rest = text;
  while (rest) {
    const match = INLINE.exec(rest);
    if (!match) break;
    if (match.index) spans.push({ kind: 'text', text: rest.slice(0, match.index) });
    const whole = match[0];
    const link = /^\[([^\]]*)\]\(([^()\s]*)\)$/.exec(whole);
    if (match[1]) spans.push({ kind: 'code', text: whole.slice(1, -1) });
    else if (match[2]) spans.push({ kind: 'strong', text: whole.slice(2, -2) });
    else if (match[3]) spans.push({ kind: 'em', text: whole.slice(1, -1) });
    else if (link && isSafeUrl(link[2] ?? '')) spans.push({ kind: 'link', text: link[1] ?? '', href: link[2] ?? '' });
    else spans.push({ kind: 'text', text: whole });
    rest = rest.slice(match.index + whole.length);
  }
  if (rest) spans.push({ kind: 'text', text: rest });
  return spans;
}

const parseCells = (line: string): Span[][] =>
  line.trim().replace(/^\|/, '').replace(/\|$/, '').split('|').map((cell) => parseSpans(cell.trim()));

const ITEM = /^(\s*)([-*+]|(\d{1,9})[.)])\s+(.*)$/;
const indentationOf = (line: string): number => /^\s*/.exec(line.replaceAll('\t', '    '))?.[0].length ?? 0;

/** Parses the list that starts at line `from`. Returns it and the index of the line after it. Indented lines belong to their item. */
function parseList(lines: string[], from: number): [Block, number] {
  const items: Item[] = [];
  const indent = indentationOf(lines[from] ?? '');
  const ordered = /^\s*\d/.test(lines[from] ?? '');
  let at = from;
  while (at < lines.length) {
    const item = ITEM.exec(lines[at] ?? '');
    // Another kind of item starts another list, and one that is indented less belongs to the outer list.
    if (!item || indentationOf(lines[at] ?? '') !== indent || Boolean(item[3]) !== ordered) break;
    at += 1;
    const text = [item[4] ?? ''];
    while (at < lines.length && (lines[at] ?? '').trim() && !ITEM.test(lines[at] ?? '') && !/^\s*(#{1,6}\s|```)/.test(lines[at] ?? '')) {
      text.push((lines[at] ?? '').trim());
      at += 1;
    }
    const indented: string[] = [];
    for (;;) {
      let next = at;
      while (next < lines.length && !(lines[next] ?? '').trim()) next += 1;
      if (next >= lines.length || indentationOf(lines[next] ?? '') <= indent) break;
      indented.push(...lines.slice(at, next + 1));
      at = next + 1;
    }
    items.push({ number: item[3] ? Number(item[3]) : null, spans: parseSpans(text.join(' ')), children: parseMarkdown(outdent(indented)) });
    // Items may be separated by blank lines.
    let next = at;
    while (next < lines.length && !(lines[next] ?? '').trim()) next += 1;
    if (ITEM.test(lines[next] ?? '')) at = next;
  }
  return [{ kind: 'list', ordered, items }, at];
}

function outdent(lines: string[]): string {
  const margin = Math.min(...lines.filter((line) => line.trim()).map(indentationOf));
  return lines.map((line) => line.replaceAll('\t', '    ').slice(Number.isFinite(margin) ? margin : 0)).join('\n');
}

export function parseMarkdown(document: string): Block[] {
  const blocks: Block[] = [];
  const lines = document.replace(/\r\n?/g, '\n').split('\n');
  let at = 0;
  const line = (): string => lines[at] ?? '';
  while (at < lines.length) {
    const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line());
    if (!line().trim()) {
      at += 1;
    } else if (/^```/.test(line())) {
      const start = (at += 1);
      while (at < lines.length && !/^```/.test(line())) at += 1;
      blocks.push({ kind: 'code', text: lines.slice(start, at).join('\n') });
      at += 1;
    } else if (heading) {
      blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, spans: parseSpans(heading[2] ?? '') });
      at += 1;
    } else if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line())) {
      blocks.push({ kind: 'rule' });
      at += 1;
    } else if (ITEM.test(line())) {
      const [list, next] = parseList(lines, at);
      blocks.push(list);
      at = next;
    } else if (line().includes('|') && /^[\s|:-]*-[\s|:-]*$/.test(lines[at + 1] ?? '')) {
      const head = parseCells(line());
      at += 2;
      const rows: Span[][][] = [];
      while (at < lines.length && line().includes('|')) {
        rows.push(parseCells(line()));
        at += 1;
      }
      blocks.push({ kind: 'table', head, rows });
    } else {
      const quoted = /^\s*>/.test(line());
      const text: string[] = [];
      while (at < lines.length && line().trim() && !/^(#{1,6}\s|```|\s*[-*+]\s|\s*1[.)]\s)/.test(text.length ? line() : '')) {
        text.push(line().trim().replace(/^>\s?/, ''));
        at += 1;
      }
      blocks.push({ kind: quoted ? 'quote' : 'paragraph', spans: parseSpans(text.join(' ')) });
    }
  }
  return blocks;
}
