// Comma-separated values as spreadsheets write them (RFC 4180), with commas, semicolons or tabs. Each row knows the line on which it
// begins, so that an error can name it.
export type CsvRow = { line: number; cells: string[] };

/** The separator that the first line has most of: spreadsheets in many countries write semicolons. */
function findSeparator(text: string): string {
  const first = (text.split(/\r?\n/, 1)[0] ?? '').replace(/"[^"]*"/g, '');
  const count = (separator: string): number => first.split(separator).length;
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

/** The rows of a file; empty lines are left out. */
export function parseCsv(text: string): CsvRow[] {
  const source = text.replace(/^\ufeff/, '');
  const separator = findSeparator(source);
  const rows: CsvRow[] = [];
  let [line, at] = [1, 0];
  let row: CsvRow = { line, cells: [] };
  const closeRow = (): void => {
    if (row.cells.some((cell) => cell.trim())) rows.push(row);
  };
  while (at < source.length) {
    let cell = '';
    const quoted = /"([^"]*(?:""[^"]*)*)("|$)/y;
    quoted.lastIndex = at;
    const match = quoted.exec(source);
    if (match) {
      cell = (match[1] ?? '').replaceAll('""', '"');
      line += (match[0].match(/\n/g) ?? []).length;
      at = quoted.lastIndex;
    }
    // Also what follows a closing quote belongs to the cell.
    const start = at;
    while (at < source.length && source[at] !== separator && source[at] !== '\n' && source[at] !== '\r') at += 1;
    row.cells.push(cell + source.slice(start, at));
    if (source[at] === separator) {
      at += 1;
      if (at === source.length) row.cells.push('');
    } else {
      at += source.startsWith('\r\n', at) ? 2 : 1;
      closeRow();
      row = { line: ++line, cells: [] };
    }
  }
  closeRow();
  return rows;
}
