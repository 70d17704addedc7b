import { z } from 'zod'

/** What would move a name elsewhere, hide a part of it, or end a line. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** A name of a file, without the folders before it and without what cannot be seen. */
export const filename = z.string().overwrite(plainName).max(255)

function plainName(text: string): string {
  const name = text.toWellFormed().replaceAll(UNSEEN, '').split(/[\\/]/).at(-1)?.trim() ?? ''
  return /^\.+$/.test(name) ? '' : name
}

/** The header that makes a browser save a file under its name; no character of the name can end it. */
export function dispositionOf(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9._ -]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
