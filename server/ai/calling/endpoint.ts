import type { Outbound } from '../../ports/outbound.ts'
import type { ProviderName } from '../providers.ts'

/** How a provider is reached: address, credentials and port. */
export interface Endpoint {
  readonly provider: ProviderName
  /** Paths are appended to it. */
  readonly url: string
  readonly authorization: string | null
  /** Values that must not appear in anything shown of a response. */
  readonly secrets: readonly string[]
  /** Whether the key is sealed with a secret key that the server no longer has. */
  readonly isLocked: boolean
  readonly port: Outbound
  /** A file with certificate authorities. */
  readonly caPath: string | null
  readonly isVerified: boolean
  readonly proxy: string | null
}
