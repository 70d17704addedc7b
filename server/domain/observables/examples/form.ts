/** Good and bad values of a type. Documentation names and numbers only. */
export interface Examples {
  /** What comes in, and the one spelling that is kept. */
  readonly good: readonly (readonly [given: string, kept: string])[]
  /** What cannot be of the type. */
  readonly bad: readonly string[]
}

/** A value that no type but whole texts can have. */
export const CONTROL = 'a\u0007b'

/** Examples of digests: exactly so many hexadecimal digits. */
export const hexadecimal = (digits: number): Examples => ({
  good: [
    ['0aF'.padEnd(digits, '9'), '0af'.padEnd(digits, '9')],
    [` ${'B'.repeat(digits)} `, 'b'.repeat(digits)],
  ],
  bad: ['', 'a'.repeat(digits - 1), 'a'.repeat(digits + 1), 'g'.repeat(digits), `0x${'a'.repeat(digits - 2)}`],
})
