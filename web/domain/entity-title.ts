import { defangText } from './defang-text.ts'

interface Titled {
  readonly data?: { readonly title?: unknown } | undefined
  /** The alias if there is one, otherwise the title, as returned by the server. */
  readonly meta?: { readonly title?: unknown; readonly alias?: unknown } | undefined
}

/**
 * The display name of an entity: its alias or else its title. Titles are often malicious addresses, so they are defanged here,
 * in one place, and no page can forget it.
 */
export const entityTitle = ({ data, meta }: Titled): string =>
  defangText(String(meta?.title || meta?.alias || data?.title || 'Untitled'))
