import type { Prompted } from './scripted-provider.ts'

/** The lines of all marked messages of a prompt, without their marks: what others wrote. */
export const markedLines = ({ messages }: Prompted): string[] =>
  messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => content.split('\n'))
    .flatMap((line) => /^~[\da-f]{8}~ (.*)$/.exec(line)?.slice(1) ?? [])

/** The numbered segments that a prompt asks to translate. */
export function segmentsIn(prompted: Prompted): { readonly n: number; readonly text: string }[] {
  const segments: { n: number; text: string }[] = []
  for (const line of markedLines(prompted)) {
    const [, n] = /^\[\[[\da-f]{6}#(\d+)\]\]$/.exec(line) ?? []
    const last = segments.at(-1)
    if (n !== undefined) segments.push({ n: Number(n), text: '' })
    else if (last) last.text = last.text === '' ? line : `${last.text} ${line}`
  }
  return segments
}

/** Answers a request for a translation with each segment changed. */
export const translating =
  (change: (text: string) => string, source_language: string | null = 'English') =>
  (prompted: Prompted): string =>
    JSON.stringify({
      source_language,
      segments: segmentsIn(prompted).map(({ n, text }) => ({ n, text: change(text) })),
    })

/** Upper case, but for placeholders: a translation that shows what was translated. */
export const shouted = (text: string): string =>
  text.replaceAll(/\[\[[\da-f]{6}-\d+\]\]|[^[]+|\[/g, (part) => (part.startsWith('[[') ? part : part.toUpperCase()))
