import { cleaned } from '../prompting/untrusted.ts'

/** Characters that join or separate letters in scripts that need them. */
const JOINERS =
  /(?<=[\p{Script=Arabic}\p{Script=Devanagari}])([\u200c\u200d])(?=[\p{Script=Arabic}\p{Script=Devanagari}])/gu

/** What a model wrote, without its marks, comments and characters that are not shown. */
export const cleanAnswer = (text: string, mark: string): string =>
  text
    .replaceAll(`${mark} `, '')
    .replaceAll(mark, '')
    .split(JOINERS)
    .map((part, i) => (i % 2 === 1 ? part : cleaned(part)))
    .join('')
