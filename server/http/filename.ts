import { z } from 'zod'

/** Characters that reorder or hide parts of a name, or end a line. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** A file name without its folders and without invisible characters. */
export const filename = z.string().overwrite(plainName).max(255)

function plainName(text: string): string {
  const name = text.toWellFormed().replaceAll(UNSEEN, '').split(/[\\/]/).at(-1)?.trim() ?? ''
  return /^\.+$/.test(name) ? '' : name
}

/** The Content-Disposition header for a download. Escaping keeps the name from ending the header. */
export function dispositionOf(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9._ -]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
