import { MAX_VALUE_LENGTH, type ObservableDefinition } from './definition.ts'
import { foldText, isVisible, keepLine, keepWord } from './text.ts'

type FreeText = Pick<ObservableDefinition, 'form' | 'maximum' | 'normalise' | 'examples'>

/** A value that only whole texts can have. */
export const CONTROL = 'a\u0007b'

/** Text for people: white space and accents in one spelling. */
export const freeText = (what: string, example: string, maximum = 4_096): FreeText => ({
  form: `${what}: text without control characters`,
  maximum,
  normalise: foldText,
  examples: {
    good: [
      [example, example],
      [`  ${example} \t`, example],
      [`${example}  e\u0301\n2`, `${example} \u00e9 2`],
    ],
    bad: [
      '',
      ' \n',
      CONTROL,
      'a\0b',
      '\u200b',
      '\ud800',
      'x'.repeat(8_193),
      `e${'\u0301'.repeat(31)}`,
      `e${'\u0344'.repeat(20)}`,
    ],
  },
})

/** A line for machines, kept to the byte. */
export const line = (what: string, example: string, maximum = 4_096): FreeText => ({
  form: `${what}: one line without control characters`,
  maximum,
  normalise: keepLine,
  examples: {
    good: [
      [example, example],
      [`${example}  e\u0301 `, `${example}  e\u0301`],
    ],
    bad: ['', ' ', CONTROL, `${example}\n2`, 'a\0b', '\udc00', 'x'.repeat(65_537)],
  },
})

/** A word for machines, kept to the byte. */
export const word = (what: string, example: string, maximum: number): FreeText => ({
  form: `${what}: printable characters without white space`,
  maximum,
  normalise: keepWord,
  examples: {
    good: [
      [example, example],
      [` ${example}\n`, example],
    ],
    bad: ['', 'two words', CONTROL, 'x'.repeat(1_025)],
  },
})

/** A whole text, kept to the byte except for the white space around it. */
export const verbatim = (what: string, example: string): FreeText => ({
  form: what,
  maximum: MAX_VALUE_LENGTH,
  normalise: (whole) => (isVisible(whole) ? whole : undefined),
  examples: {
    good: [
      [example, example],
      [`\r\n${example}\r\n\t x  y\u0001`, `${example}\r\n\t x  y\u0001`],
    ],
    bad: ['', ' \n ', 'a\0b', 'x'.repeat(65_537)],
  },
})
