import type { Said } from './dialect.ts'

const HALF = /[\ud800-\udbff]$/

/** Puts characters together that arrive in halves, so that each can be seen for what it is: some are not shown, and are removed. */
export async function* wholeCharacters(answer: AsyncIterable<Said>): AsyncGenerator<Said> {
  let half = ''
  for await (const said of answer) {
    if (!('text' in said)) {
      yield said
      continue
    }
    const text = half + said.text
    half = HALF.exec(text)?.[0] ?? ''
    const whole = text.slice(0, text.length - half.length).toWellFormed()
    if (whole !== '' || half === '') yield { text: whole }
  }
}
