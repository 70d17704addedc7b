import { createInterface } from 'node:readline/promises'
import { type Command, Option } from 'commander'
import { MATRICES } from '../server/attack/frameworks/framework.ts'
import { type Connection, TOKEN_EPILOGUE, type Where, withConnection, withServerOptions } from './connection.ts'
import { answerOf } from './demo/client.ts'
import { sourcesOf } from './import/sources.ts'
import { upload } from './import/upload.ts'
import { print, printRecord } from './output.ts'
import { Refusal } from './refusal.ts'

const PATH = '/api/v2/attacks/frameworks'

const EPILOGUE = `
Loading a version of ATT&CK or DISARM replaces the one that is stored. What uses revoked techniques gets their successors; where there are
several, users choose in the web interface. "corvus attack undo" goes back.
${TOKEN_EPILOGUE}

Examples:
  corvus attack load enterprise-attack-18.1.json --preview    show what would change
  corvus attack load --official enterprise-attack --yes       download the newest version and load it
  corvus attack undo enterprise-attack`

interface Loading extends Where {
  readonly official?: string
  readonly as?: string
  readonly preview?: boolean
  readonly yes?: boolean
}

/** A load as the server shows it. */
interface Load {
  readonly id: number
  readonly matrix: string
  readonly version: string
  readonly previous_version: string
  readonly remapped: Readonly<Record<string, number>> | null
  readonly open_reviews: number
  readonly can_undo: boolean
  readonly report: Readonly<Record<string, unknown>> & { readonly warnings: readonly string[] }
}

/** Adds the commands that load attack frameworks into a server. */
export function addAttackCommand(program: Command, isJson: () => boolean): void {
  const attack = program.command('attack').description('load versions of attack frameworks such as ATT&CK')
  const load = attack
    .command('load [document]')
    .description('load the official bundle of a framework from a file or an address')
    .addOption(new Option('--official <matrix>', 'download the official bundle of a matrix').choices([...MATRICES]))
    .option('--as <version>', 'the version of a document that does not say it, such as 18.1')
    .option('--preview', 'only show what would change')
    .option('--yes', 'load without asking')
  withServerOptions(load)
    .addHelpText('after', EPILOGUE)
    .action(async (document: string | undefined, options: Loading) => {
      const loaded = await withConnection(options, (connection) => loadDocument(connection, document, options))
      printRecord(loaded, isJson())
    })
  withServerOptions(attack.command('list').description('list the frameworks that are stored')).action(
    async (options: Where) => {
      const found = await withConnection(options, (connection) => ask(connection, 'GET', PATH))
      print((found as Record<string, unknown>[]).map(shownFramework), isJson())
    },
  )
  withServerOptions(
    attack.command('undo <matrix>').description('go back to the version before the newest load'),
  ).action(async (matrix: string, options: Where) => {
    printRecord(await withConnection(options, (connection) => undo(connection, matrix)), isJson())
  })
}

async function loadDocument(connection: Connection, document: string | undefined, options: Loading) {
  const previewed = (await preview(connection, document, options)) as Load
  for (const warning of previewed.report.warnings) console.error(warning)
  const changes = {
    matrix: previewed.matrix,
    from: previewed.previous_version,
    to: previewed.version,
    ...counted(previewed),
  }
  if (options.preview) return { preview: previewed.id, ...changes }
  if (!options.yes) await confirm(changes)
  const { remapped, open_reviews } = (await ask(connection, 'POST', `${PATH}/load`, { load: previewed.id })) as Load
  return { loaded: previewed.id, ...changes, remapped, open_reviews }
}

async function preview(connection: Connection, document: string | undefined, { official, as: version }: Loading) {
  if ((document === undefined) === (official === undefined))
    throw new Refusal('Name a file or an address, or a matrix with --official.')
  const named = version === undefined ? {} : { version }
  if (official !== undefined) return ask(connection, 'POST', `${PATH}/preview`, { matrix: official, ...named })
  if (/^https?:\/\//.test(document ?? ''))
    return ask(connection, 'POST', `${PATH}/preview`, { url: document, ...named })
  const [source, ...others] = await sourcesOf([document ?? ''], 'bundle.json')
  if (!source || others.length > 0) throw new Refusal('Name one file.')
  const fields = version === undefined ? [] : [['version', version] as const]
  return upload(connection, source, fields, () => undefined, `${PATH}/preview`)
}

/** The number of changes of each kind, without those that do not occur. */
const counted = ({ report }: Load): Record<string, number> =>
  Object.fromEntries(
    Object.entries(report)
      .map(([name, list]): [string, number] => [name, Array.isArray(list) ? list.length : 0])
      .filter(([, count]) => count > 0),
  )

async function confirm(changes: Record<string, unknown>): Promise<void> {
  if (!process.stdin.isTTY)
    throw new Refusal('Nothing was loaded. Add --yes to load it, or --preview to see what would change.')
  printRecord(changes, false, console.error)
  const asked = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await asked.question('Load this version? (y/N) ').finally(() => asked.close())
  if (!/^y(es)?$/i.test(answer.trim())) throw new Refusal('Nothing was loaded.')
}

async function undo(connection: Connection, matrix: string): Promise<Record<string, unknown>> {
  const loads = (await ask(connection, 'GET', `${PATH}/loads?filter[state]=loaded`)) as Load[]
  const newest = loads.find((load) => load.matrix === matrix && load.can_undo)
  if (!newest) throw new Refusal(`No load of ${matrix} can be undone.`)
  const undone = (await ask(connection, 'POST', `${PATH}/loads/${newest.id}/undo`)) as Load
  return { undone: undone.id, matrix, from: undone.version, to: undone.previous_version }
}

const shownFramework = ({ matrix, version, has_texts, loaded_at, open_reviews }: Record<string, unknown>) => ({
  matrix,
  version,
  texts: has_texts,
  loaded_at,
  open_reviews,
})

const ask = ({ url, token, stop }: Connection, method: string, path: string, data?: unknown): Promise<unknown> =>
  answerOf(url, path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    signal: stop.signal,
    ...(data !== undefined && { body: JSON.stringify({ data }) }),
  })
