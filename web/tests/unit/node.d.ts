// The parts of Node that unit tests use: the types of all of Node would be a package of their own.
declare module 'node:test' {
  export function test(name: string, body: () => void | Promise<void>): void;
}
declare module 'node:assert/strict' {
  type Assert = {
    ok(value: unknown, message?: string): asserts value;
    equal<T>(actual: T, expected: T, message?: string): void;
    deepEqual<T>(actual: T, expected: T, message?: string): void;
    rejects(promise: Promise<unknown>, error?: RegExp | ((error: unknown) => boolean)): Promise<void>;
  };
  const assert: Assert;
  export default assert;
}
declare module 'node:fs/promises' {
  export function readFile(path: string, encoding: 'utf8'): Promise<string>;
}
declare module 'node:crypto' {
  export function createHash(algorithm: string): { update(text: string): { digest(encoding: 'hex'): string } };
}
