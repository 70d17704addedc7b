import type { Instance } from './instance.ts'
import type { Seen } from './model.ts'

/** A UUID, an integer id of an instance, a text of an instance, or a hash. */
const MENTIONS =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b(?:1[1-6]\d|20\d|21[0-3])\d{7}\b|zq\d{5}x[a-z0-9]*|\b[0-9a-f]{32}(?:[0-9a-f]{8}|[0-9a-f]{32})?\b/g

const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}(?:\+00:00|Z)/g
/** Relevancy and scores by recency change between two requests. */
const FRACTIONS =
  /"relevancy":[\d.e-]+|"(?:score|largest_score|threat|gap|share|left|right)":\d+\.[\d.e-]+|\b0\.\d{5,}(?:e-\d+)?|\b\d\.\d+e-\d+/g
/** The names of exports contain their time. */
const FILES = /corvus-\d{8}-\d{6}/g
const CONTENTS = /"data":"([\w+/]+=*)"/g
const CURSORS = /"cursor":"([\w-]+)"/g

/** A response in the terms of the world: names in place of ids, so that those of two instances are equal. */
export function reword({ code, names }: Instance, answer: string, builtAt: string): string {
  return opened(answer)
    .replaceAll(MENTIONS, (mention) => {
      if (mention.startsWith('zq')) return mention.startsWith(code) ? `<${mention.slice(code.length)}>` : '<foreign>'
      return `<${names.get(mention) ?? 'new'}>`
    })
    .replaceAll(TIMES, (time) => (time > builtAt ? '<now>' : time))
    .replaceAll(FILES, 'corvus-<now>')
    .replaceAll(FRACTIONS, '<fraction>')
}

/** The part of a JSON response about an instance: list elements about other instances are left out. */
export function ownPart(instance: Instance, answer: string): string {
  const isForeign = (element: unknown) => {
    const mentions: readonly string[] = JSON.stringify(element).match(MENTIONS) ?? []
    const isOwn = (each: string) =>
      each.startsWith(instance.code) || (instance.names.has(each) && instance.names.get(each) !== 'writer')
    return mentions.length > 0 && !mentions.some(isOwn)
  }
  // Inner lists come first: a number next to them may be about this instance.
  const withoutForeign = (key: string, value: unknown) => {
    if (Array.isArray(value)) return value.filter((element) => !isForeign(element))
    // A cursor names the last object of a page, which may belong to another world.
    return key === 'cursor' ? undefined : value
  }
  try {
    return JSON.stringify(JSON.parse(answer, withoutForeign))
  } catch {
    return answer
  }
}

/** Everything in a response that the viewer may not know of, except what was in their request. */
export function unseenIn(
  instance: Instance,
  seen: Seen,
  question: string,
  answer: string,
  isKnown: (id: string) => boolean,
): string[] {
  const { code, names } = instance
  const asked = new Set(opened(question).match(MENTIONS))
  const mentions = new Set(opened(answer).match(MENTIONS)).difference(asked)
  return [...mentions].filter((mention) => {
    const name = names.get(mention)
    if (name !== undefined) return !seen.names.has(name) && !seen.texts.has(name) && !name.startsWith('stix id')
    if (mention.startsWith(code)) return mention !== code && !seen.texts.has(mention.slice(code.length))
    return mention.startsWith('zq') || isKnown(mention)
  })
}

/** Decodes cursors, which are opaque to callers but not secret, and base64 content, so that ids in them are found. */
const opened = (answer: string): string =>
  answer
    .replaceAll(CURSORS, (_, cursor: string) => {
      const [_fingerprint, _at, ...key] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
      return `"cursor":${JSON.stringify(key)}`
    })
    .replaceAll(CONTENTS, (_, content: string) => `"data":"${Buffer.from(content, 'base64')}"`)

/** Where two texts begin to differ, with the text around it. */
export function differenceOf(expected: string, got: string): string {
  let at = 0
  while (at < expected.length && expected[at] === got[at]) at++
  const excerpt = (text: string) => `${at > 100 ? '…' : ''}${text.slice(Math.max(0, at - 100), at + 300)}`
  return `expected ${excerpt(expected)}\ngot      ${excerpt(got)}`
}
