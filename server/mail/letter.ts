/** What a mail says: paragraphs in the order in which they are read, some of which are addresses. */
export interface Letter {
  readonly subject: string
  readonly paragraphs: readonly (string | Link)[]
}

/** An address of ours that is shown as a link; what people wrote never is one. */
export interface Link {
  readonly url: string
}

/** A letter as mails carry it: as plain text and as simple HTML. Texts stand in it as they are, nothing in them is read. */
export function write({ subject, paragraphs }: Letter): { subject: string; text: string; html: string } {
  const text = paragraphs.map((part) => (typeof part === 'string' ? part : part.url)).join('\n\n')
  const html = paragraphs.map((part) => `<p>${typeof part === 'string' ? escaped(part) : linked(part)}</p>`).join('\n')
  return { subject, text: `${text}\n`, html: `<!doctype html>\n<meta charset="utf-8">\n${html}\n` }
}

const linked = ({ url }: Link): string => `<a href="${escaped(url)}">${escaped(url)}</a>`

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
