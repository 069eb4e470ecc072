// Writes comma-separated values (RFC 4180). readcsv.ts reads them, where a dialog needs that.
const writeCell = (cell: string): string => (/[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** A file that spreadsheets open as UTF-8. */
export const writeCsv = (rows: string[][]): string => `\ufeff${rows.map((row) => row.map(writeCell).join(',')).join('\r\n')}\r\n`;
