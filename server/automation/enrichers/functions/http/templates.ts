import { createHash } from 'node:crypto'

/** A template that cannot be read. */
export class TemplateError extends Error {}

/** A text with `{…}` in it, split: what is in braces is at the odd positions. `{{` and `}}` stand for braces. */
export function splitTemplate(source: string): string[] {
  const parts: string[] = []
  let text = ''
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? ''
    const isDoubled = source[at + 1] === character
    if (character !== '{' && character !== '}') text += character
    else if (isDoubled) {
      text += character
      at++
    } else if (character === '}') throw new TemplateError("'}' has no '{' before it; write '}}' for a brace")
    else {
      const end = endOfPlaceholder(source, at)
      parts.push(text, source.slice(at + 1, end).trim())
      text = ''
      at = end
    }
  }
  return [...parts, text]
}

/** The position of the brace that closes a placeholder. Braces in quoted texts do not count. */
function endOfPlaceholder(source: string, start: number): number {
  let quote = ''
  for (let at = start + 1; at < source.length; at++) {
    const character = source[at] ?? ''
    if (quote !== '') {
      if (character === '\\') at++
      else if (character === quote) quote = ''
    } else if (character === "'" || character === '"') quote = character
    else if (character === '}') return at
  }
  throw new TemplateError("'{' has no '}' after it; write '{{' for a brace")
}

const sha = (algorithm: string) => (text: string) => createHash(algorithm).update(text).digest('hex')

/** What can be done with a value before it is put into a request. */
const FORMS: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => Buffer.from(text).toString('base64'),
  /** Without padding. */
  base64url: (text) => Buffer.from(text).toString('base64url'),
  digits: (text) => text.replaceAll(/\D/g, ''),
  lower: (text) => text.toLowerCase(),
  md5: sha('md5'),
  /** For texts in quotes of a query language. */
  quoted: (text) => text.replaceAll(/["\\]/g, (character) => `\\${character}`),
  sha1: sha('sha1'),
  sha256: sha('sha256'),
  upper: (text) => text.toUpperCase(),
}

/** A placeholder of a request: the name of a value, and what is done with it. */
export interface Placeholder {
  readonly name: string
  readonly forms: readonly string[]
}

export type Template = readonly (string | Placeholder)[]

/** The values that placeholders stand for. Absent ones are undefined. */
export type Values = Readonly<Record<string, string | undefined>>

/** Reads a template of a request: `{name}` or `{name|form}`. Throws a `TemplateError`. */
export function readTemplate(source: string): Template {
  return splitTemplate(source).flatMap((part, i): Template => {
    if (i % 2 === 0) return part === '' ? [] : [part]
    const [name = '', ...forms] = part.split('|').map((each) => each.trim())
    if (!/^[a-z][a-z0-9_]{0,49}$/.test(name))
      throw new TemplateError(`'{${part.slice(0, 80)}}' does not begin with a name`)
    const unknown = forms.find((form) => !Object.hasOwn(FORMS, form))
    if (unknown !== undefined) {
      throw new TemplateError(`there is no form '${unknown.slice(0, 80)}', only ${Object.keys(FORMS).join(', ')}`)
    }
    return [{ name, forms }]
  })
}

export const placeholdersOf = (template: Template): Placeholder[] => template.filter((part) => typeof part !== 'string')

/** The template with its values, each escaped for its position; undefined if one of them is absent. */
export function fillTemplate(
  template: Template,
  values: Values,
  escaped: (text: string) => string,
): string | undefined {
  const parts: string[] = []
  for (const part of template) {
    if (typeof part === 'string') parts.push(part)
    else {
      const value = Object.hasOwn(values, part.name) ? values[part.name] : undefined
      if (value === undefined || value === '') return undefined
      parts.push(escaped(part.forms.reduce((text, form) => FORMS[form]?.(text) ?? text, value.toWellFormed())))
    }
  }
  return parts.join('')
}
