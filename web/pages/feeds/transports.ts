import type { FeedKind } from '../../api/feeds.ts'

/** A field of the configuration of a transport, as a form shows it. */
export interface TransportField {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'secret' | 'number' | 'switch' | 'list' | 'pem' | 'pairs' | 'choice'
  readonly help?: string
  readonly isRequired?: boolean
  /** Whether it stands behind a fold, since few need it. */
  readonly isRare?: boolean
  readonly choices?: readonly string[]
  /** What it is where nobody says. */
  readonly initial?: unknown
}

/** A way in or out. */
export interface TransportForm {
  readonly type: string
  readonly label: string
  readonly help: string
  readonly fields: readonly TransportField[]
}

const ADDRESS: TransportField = { name: 'url', label: 'Address', kind: 'text', isRequired: true, help: 'https://…' }

const CONNECTION: readonly TransportField[] = [
  { name: 'username', label: 'User name', kind: 'text' },
  { name: 'password', label: 'Password', kind: 'secret' },
  { name: 'token', label: 'Bearer token', kind: 'secret' },
  { name: 'api_key', label: 'API key', kind: 'secret' },
  { name: 'api_key_header', label: 'Header of the API key', kind: 'text', initial: 'X-API-Key', isRare: true },
  { name: 'client_certificate', label: 'Client certificate', kind: 'pem', isRare: true },
  { name: 'client_key', label: 'Key of the client certificate', kind: 'secret', isRare: true },
  { name: 'client_key_passphrase', label: 'Passphrase of the key', kind: 'secret', isRare: true },
  {
    name: 'ca_certificate',
    label: 'Certificate authority',
    kind: 'pem',
    isRare: true,
    help: 'Trusted beside the usual ones.',
  },
  { name: 'verify_ssl', label: 'Check the certificate of the server', kind: 'switch', initial: true, isRare: true },
  { name: 'proxy', label: 'Proxy', kind: 'text', isRare: true },
  { name: 'headers', label: 'Headers', kind: 'pairs', isRare: true, help: 'One a line: Name: value. Not for secrets.' },
  { name: 'timeout_seconds', label: 'Seconds for one exchange', kind: 'number', initial: 300, isRare: true },
]

const PATH: TransportField = {
  name: 'path',
  label: 'Folder',
  kind: 'text',
  isRequired: true,
  help: 'In one of the folders that the operator allows (CORVUS_FEED_FOLDERS).',
}

/** All ways in and out, with what has to be known for each. */
export const TRANSPORTS: Readonly<Record<FeedKind, readonly TransportForm[]>> = {
  incoming: [
    {
      type: 'eiq.incoming-transports.http-download',
      label: 'Download',
      help: 'One document by HTTP or HTTPS.',
      fields: [
        ADDRESS,
        ...CONNECTION,
        { name: 'signature_url', label: 'Address of its signature', kind: 'text', isRare: true },
      ],
    },
    {
      type: 'eiq.incoming-transports.taxii2',
      label: 'TAXII 2.1',
      help: 'A collection of a TAXII server.',
      fields: [
        { ...ADDRESS, help: 'The API root, or the discovery address.' },
        { name: 'collection_id', label: 'Collection', kind: 'text', isRequired: true, help: 'Its id or alias.' },
        ...CONNECTION,
        {
          name: 'added_after',
          label: 'Begin after',
          kind: 'text',
          isRare: true,
          help: 'A time such as 2025-01-01T00:00:00Z.',
        },
        { name: 'page_size', label: 'Objects in a page', kind: 'number', initial: 1000, isRare: true },
      ],
    },
    {
      type: 'eiq.incoming-transports.misp-feed',
      label: 'MISP feed',
      help: 'Each event that manifest.json lists.',
      fields: [
        { ...ADDRESS, help: 'The folder that holds manifest.json.' },
        { name: 'tags', label: 'Only events with one of these tags', kind: 'list' },
        { name: 'published_only', label: 'Only published events', kind: 'switch', initial: false },
        ...CONNECTION,
      ],
    },
    {
      type: 'eiq.incoming-transports.rss',
      label: 'RSS or Atom',
      help: 'Each article of a news feed.',
      fields: [
        ADDRESS,
        { name: 'fetch_articles', label: 'Fetch the pages of articles', kind: 'switch', initial: false },
        ...CONNECTION,
      ],
    },
    {
      type: 'eiq.incoming-transports.mount-point-download',
      label: 'Folder',
      help: 'Files of a folder on the server.',
      fields: [
        PATH,
        { name: 'pattern', label: 'Names', kind: 'text', initial: '*', help: '* stands for any characters.' },
        { name: 'is_recursive', label: 'Folders inside, too', kind: 'switch', initial: false },
        {
          name: 'after',
          label: 'Files that were taken in',
          kind: 'choice',
          choices: ['keep', 'delete'],
          initial: 'keep',
        },
      ],
    },
    {
      type: 'eiq.incoming-transports.push',
      label: 'Push',
      help: 'Others send to an address of this feed, or to its TAXII collection.',
      fields: [],
    },
  ],
  outgoing: [
    { type: 'eiq.outgoing-transports.http-download', label: 'Download', help: 'Clients fetch blocks.', fields: [] },
    {
      type: 'eiq.outgoing-transports.taxii2',
      label: 'TAXII 2.1',
      help: 'A collection of our TAXII server.',
      fields: [],
    },
    {
      type: 'eiq.outgoing-transports.http-push',
      label: 'HTTP push',
      help: 'Each block is sent to an address.',
      fields: [
        ADDRESS,
        { name: 'method', label: 'Method', kind: 'choice', choices: ['POST', 'PUT'], initial: 'POST' },
        ...CONNECTION,
      ],
    },
    {
      type: 'eiq.outgoing-transports.mount-point-upload',
      label: 'Folder',
      help: 'Each block becomes a file on the server.',
      fields: [
        PATH,
        { name: 'filename', label: 'File name', kind: 'text', help: 'Empty gives each block a name of its own.' },
      ],
    },
    {
      type: 'eiq.outgoing-transports.send-email',
      label: 'E-mail',
      help: 'Each block is mailed as an attachment.',
      fields: [
        { name: 'recipients', label: 'Recipients', kind: 'list', isRequired: true },
        { name: 'subject', label: 'Subject', kind: 'text' },
        { name: 'most_megabytes', label: 'At most megabytes', kind: 'number', initial: 20 },
      ],
    },
  ],
}

/** The transport of a feed, also by its short name. */
export const transportOf = (kind: FeedKind, type: string): TransportForm | undefined =>
  TRANSPORTS[kind].find((each) => each.type === type)

/** What a transport is called. */
export const transportName = (kind: FeedKind, type: string): string => transportOf(kind, type)?.label ?? type

/** What stands in an input for the value of a field. */
export function textOf({ kind, initial }: TransportField, value: unknown): string {
  const shown = value ?? initial
  if (shown === undefined || shown === null) return ''
  if (kind === 'list') return Array.isArray(shown) ? shown.join('\n') : ''
  if (kind === 'pairs')
    return Object.entries(shown as Record<string, string>)
      .map(([name, each]) => `${name}: ${each}`)
      .join('\n')
  return String(shown)
}

/** The value of what somebody typed; undefined where nothing is said. */
export function typedValue({ kind }: TransportField, text: string): unknown {
  if (text.trim() === '') return undefined
  if (kind === 'number') return Number(text)
  if (kind === 'switch') return text === 'true'
  if (kind === 'list') return lines(text)
  if (kind === 'pairs')
    return Object.fromEntries(
      lines(text).map((line) => {
        const at = line.indexOf(':')
        return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
      }),
    )
  return kind === 'pem' || kind === 'secret' ? text : text.trim()
}

/** The configuration of a transport out of the texts of its form. */
export const configurationOf = (
  { fields }: TransportForm,
  texts: Readonly<Record<string, string>>,
): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = typedValue(field, texts[field.name] ?? '')
      return value === undefined ? [] : [[field.name, value]]
    }),
  )

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
