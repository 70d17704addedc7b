import { defangText } from './defang-text.ts'

interface Titled {
  readonly data?: { readonly title?: unknown } | undefined
  /** `title` is the alias or else the title, as the server answers it. */
  readonly meta?: { readonly title?: unknown; readonly alias?: unknown } | undefined
}

/**
 * What an entity is called on every page: its alias or else its title. Titles often are malicious addresses, so they are defanged
 * here, once, and no page can forget to.
 */
export const entityTitle = ({ data, meta }: Titled): string =>
  defangText(String(meta?.title || meta?.alias || data?.title || 'Without a title'))
