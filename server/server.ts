import type { Kysely } from 'kysely'
import type { ModelPorts } from './ai/calling/model-ports.ts'
import type { OllamaSetup } from './ai/providers.ts'
import type { Adapter } from './automation/detonators/adapter.ts'
import type { TaskTypes } from './background/task.ts'
import type { Streams } from './changes/events/streams.ts'
import type { Collection } from './collections.ts'
import type { Lookup, Vault } from './engine/context.ts'
import type { Resource } from './engine/definition.ts'
import type { Blobs } from './ports/blobs.ts'
import type { Mailer } from './ports/mail.ts'
import type { Outbound } from './ports/outbound.ts'

/** The dependencies shared by all requests and task runs; composed in `app.ts` and `start.ts`. */
export interface Server {
  // Tables are known by their definitions, not by a type of the whole schema.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly db: Kysely<any>
  readonly vault: Vault
  readonly resources: ReadonlyMap<Collection, Resource>
  readonly taskTypes: TaskTypes
  /** Absent within a transaction, because it would not see its writes. */
  readonly lookup?: Lookup | undefined
  /** Absent in processes that serve no streams. */
  readonly streams?: Streams | undefined
  /** Absent where Corvus calls no other servers. */
  readonly outbound?: Outbound | undefined
  /** The ways to language models. Absent where Corvus calls no other servers. */
  readonly modelPorts?: ModelPorts | undefined
  /** Absent where no mail is sent. */
  readonly mailer?: Mailer | undefined
  /** The public address that the operator configured. Mails never use the address of a request, which a caller could forge. */
  readonly publicUrl?: string | undefined
  /** Absent where no files are stored. */
  readonly blobs?: Blobs | undefined
  /** The maximum size of a file, in bytes. */
  readonly largestFile?: number | undefined
  /** The folders that the operator allows feeds to read and write. */
  readonly feedFolders?: readonly string[] | undefined
  /** The header, in lower case, in which a trusted proxy names the user who is signed in; see `proxies.ts`. */
  readonly proxyUserHeader?: string | undefined
  /** The sandboxes that detonators can use, in place of those of the platform. */
  readonly sandboxes?: readonly Adapter[] | undefined
  /** Ollama, where the operator configures it through the environment. */
  readonly ollama?: OllamaSetup | undefined
}
