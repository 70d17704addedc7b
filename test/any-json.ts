import fc from 'fast-check'

// Once an object has a property named by a lone backslash, the JSON parser of V8 13.6 reads every name that is a single
// escaped character as that name. So a backslash is always followed by a letter.
const unit = fc.string({ minLength: 1, maxLength: 1 }).map((character) => (character === '\\' ? '\\x' : character))

/** Any JSON value, as a parser returns it. */
export const anyJson = (maxDepth: number): fc.Arbitrary<unknown> =>
  fc.jsonValue({ maxDepth, stringUnit: unit }).map((value): unknown => JSON.parse(JSON.stringify(value)))
