// Numbers, money and times as people read them.
const whole = new Intl.NumberFormat('en');
const short = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const dateOnly = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const dayOnly = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

export const number = (value: number): string => whole.format(value);
export const credits = (value: number): string => `${whole.format(value)} ${Math.abs(value) === 1 ? 'credit' : 'credits'}`;
export const when = (time: string): string => short.format(new Date(time));
export const date = (time: string): string => dateOnly.format(new Date(time));
export const day = (time: string): string => dayOnly.format(new Date(`${time}T00:00:00Z`));

export function money(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

export function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  if (count < 1024 ** 2) return `${(count / 1024).toFixed(0)} KiB`;
  return `${(count / 1024 ** 2).toFixed(1)} MiB`;
}

export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** How fast voices speak, about: 340,539 characters of a book were 20,087 seconds at speed 1. */
const CHARACTERS_A_SECOND = 17;

/** How long the audio of a text of `count` characters will be: `About 5 h 35 min`. */
export function aboutLength(count: number): string {
  const minutes = Math.round(count / CHARACTERS_A_SECOND / 60);
  if (minutes < 1) return 'Less than a minute';
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `About ${[hours ? `${hours} h` : '', rest ? `${rest} min` : ''].filter(Boolean).join(' ')}`;
}

/** Characters as they are charged: Unicode scalar values. */
export function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** What a browser calls itself, in short. */
export function browser(agent: string | null | undefined): string {
  if (!agent) return 'Unknown browser';
  const name = /Edg\//.test(agent) ? 'Edge' : /Firefox\//.test(agent) ? 'Firefox' : /Chrom(e|ium)\//.test(agent) ? 'Chrome' : /Safari\//.test(agent) ? 'Safari' : null;
  const system = /Android/.test(agent) ? 'Android' : /iPhone|iPad/.test(agent) ? 'iOS' : /Windows/.test(agent) ? 'Windows' : /Mac OS/.test(agent) ? 'macOS' : /Linux/.test(agent) ? 'Linux' : null;
  if (!name) return agent.slice(0, 60);
  return system ? `${name} on ${system}` : name;
}
