// The part of Markdown that terms and privacy policies are written in, as data. Nothing of a document becomes HTML: what is not
// known here is shown as the text that it is.
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

/** An entry of a list. `number` is what the document itself says: texts refer to it. */
export type Item = { number: number | null; spans: Span[]; inner: Block[] };

const INLINE = /(`[^`]+`)|(\*\*[^*]+\*\*|__[^_]+__)|(\*[^*\s][^*]*\*|\b_[^_\s][^_]*_\b)|(\[[^\]]*\]\([^()\s]*\))/;

/** Only what opens a page or a mail is a link. */
const isLink = (href: string): boolean => /^(https?:\/\/|mailto:)/i.test(href);

export function spans(text: string): Span[] {
  const found: Span[] = [];
  let rest = text;
  while (rest) {
    const match = INLINE.exec(rest);
    if (!match) break;
    if (match.index) found.push({ kind: 'text', text: rest.slice(0, match.index) });
    const whole = match[0];
    const link = /^\[([^\]]*)\]\(([^()\s]*)\)$/.exec(whole);
    if (match[1]) found.push({ kind: 'code', text: whole.slice(1, -1) });
    else if (match[2]) found.push({ kind: 'strong', text: whole.slice(2, -2) });
    else if (match[3]) found.push({ kind: 'em', text: whole.slice(1, -1) });
    else if (link && isLink(link[2] ?? '')) found.push({ kind: 'link', text: link[1] ?? '', href: link[2] ?? '' });
    else found.push({ kind: 'text', text: whole });
    rest = rest.slice(match.index + whole.length);
  }
  if (rest) found.push({ kind: 'text', text: rest });
  return found;
}

const cells = (line: string): Span[][] =>
  line.trim().replace(/^\|/, '').replace(/\|$/, '').split('|').map((cell) => spans(cell.trim()));

const ENTRY = /^(\s*)([-*+]|(\d{1,9})[.)])\s+(.*)$/;
const indentOf = (line: string): number => /^\s*/.exec(line.replaceAll('\t', '    '))?.[0].length ?? 0;

/** The list that begins in this line, and the line behind it. What is indented under an entry belongs to it. */
function listAt(lines: string[], from: number): [Block, number] {
  const items: Item[] = [];
  const outer = indentOf(lines[from] ?? '');
  const ordered = /^\s*\d/.test(lines[from] ?? '');
  let at = from;
  while (at < lines.length) {
    const entry = ENTRY.exec(lines[at] ?? '');
    // Another kind of entry begins another list; one further out belongs to whoever called.
    if (!entry || indentOf(lines[at] ?? '') !== outer || Boolean(entry[3]) !== ordered) break;
    at += 1;
    const text = [entry[4] ?? ''];
    while (at < lines.length && (lines[at] ?? '').trim() && !ENTRY.test(lines[at] ?? '') && !/^\s*(#{1,6}\s|```)/.test(lines[at] ?? '')) {
      text.push((lines[at] ?? '').trim());
      at += 1;
    }
    const under: string[] = [];
    for (;;) {
      let next = at;
      while (next < lines.length && !(lines[next] ?? '').trim()) next += 1;
      if (next >= lines.length || indentOf(lines[next] ?? '') <= outer) break;
      under.push(...lines.slice(at, next + 1));
      at = next + 1;
    }
    items.push({ number: entry[3] ? Number(entry[3]) : null, spans: spans(text.join(' ')), inner: blocks(outdented(under)) });
    // Empty lines may stand between the entries of a list.
    let next = at;
    while (next < lines.length && !(lines[next] ?? '').trim()) next += 1;
    if (ENTRY.test(lines[next] ?? '')) at = next;
  }
  return [{ kind: 'list', ordered, items }, at];
}

function outdented(lines: string[]): string {
  const least = Math.min(...lines.filter((line) => line.trim()).map(indentOf));
  return lines.map((line) => line.replaceAll('\t', '    ').slice(Number.isFinite(least) ? least : 0)).join('\n');
}

export function blocks(document: string): Block[] {
  const found: Block[] = [];
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
      found.push({ kind: 'code', text: lines.slice(start, at).join('\n') });
      at += 1;
    } else if (heading) {
      found.push({ kind: 'heading', level: heading[1]?.length ?? 1, spans: spans(heading[2] ?? '') });
      at += 1;
    } else if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line())) {
      found.push({ kind: 'rule' });
      at += 1;
    } else if (ENTRY.test(line())) {
      const [list, next] = listAt(lines, at);
      found.push(list);
      at = next;
    } else if (line().includes('|') && /^[\s|:-]*-[\s|:-]*$/.test(lines[at + 1] ?? '')) {
      const head = cells(line());
      at += 2;
      const rows: Span[][][] = [];
      while (at < lines.length && line().includes('|')) {
        rows.push(cells(line()));
        at += 1;
      }
      found.push({ kind: 'table', head, rows });
    } else {
      const quoted = /^\s*>/.test(line());
      const text: string[] = [];
      while (at < lines.length && line().trim() && !/^(#{1,6}\s|```|\s*[-*+]\s|\s*1[.)]\s)/.test(text.length ? line() : '')) {
        text.push(line().trim().replace(/^>\s?/, ''));
        at += 1;
      }
      found.push({ kind: quoted ? 'quote' : 'paragraph', spans: spans(text.join(' ')) });
    }
  }
  return found;
}
