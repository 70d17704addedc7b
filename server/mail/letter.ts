import { escapeHtml } from '../domain/escape-html.ts'

/** The content of a mail: its paragraphs, some of which are links. */
export interface Letter {
  readonly subject: string
  readonly paragraphs: readonly (string | Link)[]
}

/** A link to this platform. Text written by users never becomes a link. */
export interface Link {
  readonly url: string
}

/** A letter as plain text and as simple HTML. Its texts are escaped, never interpreted. */
export function write({ subject, paragraphs }: Letter): { subject: string; text: string; html: string } {
  const text = paragraphs.map((part) => (typeof part === 'string' ? part : part.url)).join('\n\n')
  const html = paragraphs
    .map((part) => `<p>${typeof part === 'string' ? escapeHtml(part) : linked(part)}</p>`)
    .join('\n')
  return { subject, text: `${text}\n`, html: `<!doctype html>\n<meta charset="utf-8">\n${html}\n` }
}

const linked = ({ url }: Link): string => `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`
