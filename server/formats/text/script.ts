/** Letters of scripts that are written without spaces between words: a name ends where they begin. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\u30fc]/u

/** Whether a character belongs to a script that puts no spaces between words. */
export const isUnspaced = (character: string): boolean => character > '\u0dff' && UNSPACED.test(character)
