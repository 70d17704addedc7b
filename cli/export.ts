import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import { CONSOLIDATIONS } from '../server/domain/consolidation.ts'
import { OFFERED_TYPES } from '../server/formats/formats.ts'
import { type Connection, TOKEN_EPILOGUE, type Where, withConnection, withServerOptions } from './connection.ts'
import { download } from './export/download.ts'
import { showReceived } from './export/received.ts'
import { printRecord } from './output.ts'
import { Refusal } from './refusal.ts'
import { repeatable } from './repeatable.ts'

interface Options extends Where {
  readonly query?: string
  readonly dataset: readonly string[]
  readonly format: string
  readonly fields?: string
  readonly tlp?: string
  readonly related?: boolean
  readonly consolidation?: string
  readonly output: string
}

const width = Math.max(...OFFERED_TYPES.map(({ name }) => name.length))

const EPILOGUE = `
Formats:
${OFFERED_TYPES.map(({ name, doc }) => `  ${name.padEnd(width)}  ${doc}`).join('\n')}

The export contains what the owner of the token can see, with relationships, observables and attachments as far as the format
supports them. The document is written while it is downloaded; a file gets its final name once it is complete. The summary counts what
the format could not represent; use an export block of the API for details.
${TOKEN_EPILOGUE}

Exit codes: 0 exported, even if some details were lost; 1 failed; 2 invalid command.

Examples:
  corvus export --query 'tags:ransomware AND created_at:>now-7d/d' --output ransomware.json
  corvus export --dataset 7 --format stix1 --tlp GREEN --output shared.xml
  corvus export --fields data.title,meta.tags,observables --output - | head
  CORVUS_TOKEN=cvs_… corvus export --format observables-csv --url https://corvus.example.org > observables.csv`

/** Adds the command that exports entities from a server. */
export function addExportCommand(program: Command, isJson: () => boolean): void {
  const command = program
    .command('export')
    .description('export entities from a running server to a file')
    .option('--query <query>', 'only entities that match a query')
    .addOption(repeatable('--dataset <id>', 'only entities in a dataset'))
    .addOption(
      new Option('--format <name>', 'the format of the document')
        .choices(OFFERED_TYPES.map(({ name }) => name))
        .default('stix2'),
    )
    .option('--fields <names>', 'export a CSV file with these fields, separated by commas, instead of a format')
    .option('--tlp <colour>', 'the highest TLP colour to export')
    .option('--related', 'include entities that are one relationship away')
    .addOption(
      new Option('--consolidation <form>', 'what represents unified entities; their contributors, if omitted').choices(
        CONSOLIDATIONS,
      ),
    )
    .option('--output <file>', 'the output file; "-" is standard output', '-')
  withServerOptions(command)
    .addHelpText('after', EPILOGUE)
    .action(async (options: Options) => {
      const start = Date.now()
      const exported = await withConnection(options, (connection) => exportTo(connection, options))
      const seconds = Math.round((Date.now() - start) / 100) / 10
      // Standard output may contain the document.
      printRecord({ ...exported, seconds }, isJson(), options.output === '-' ? console.error : console.log)
    })
}

/** The request path of an export. */
function pathOf({ query, dataset, format, fields, tlp, related, consolidation }: Omit<Options, 'output'>): string {
  const configuration = {
    ...(tlp !== undefined && { tlp_color_filter: tlp.toUpperCase() }),
    ...(related && { related_entities: true }),
    ...(consolidation !== undefined && { consolidation }),
  }
  const search = new URLSearchParams()
  if (fields === undefined) search.set('content_type', OFFERED_TYPES.find(({ name }) => name === format)?.urn ?? format)
  else search.set('include_fields', fields)
  if (query !== undefined) search.set('query', query)
  for (const id of dataset) search.append('filter[datasets]', id)
  if (Object.keys(configuration).length > 0) search.set('content_configuration', JSON.stringify(configuration))
  return `/api/v2/entities/export?${search}`
}

async function exportTo(connection: Connection, options: Options): Promise<Record<string, unknown>> {
  const isShown = options.output === '-' && process.stdout.isTTY === true
  if (isShown && options.format === 'zip')
    throw new Refusal('An archive cannot be written to a terminal. Name a file with --output.')
  const document = await download(connection, pathOf(options))
  const label = options.output === '-' ? 'standard output' : options.output
  const progress = isShown ? undefined : showReceived(process.stderr, label)
  let bytes = 0
  async function* pieces() {
    for await (const piece of document.pieces) {
      if (connection.stop.isAsked()) throw new Refusal('Stopped.')
      bytes += piece.length
      progress?.add(piece.length)
      yield piece
    }
  }
  try {
    await save(pieces(), options.output)
  } finally {
    progress?.end()
  }
  return { output: label, bytes, ...document.counts() }
}

async function save(pieces: AsyncIterable<Buffer>, output: string): Promise<void> {
  if (output === '-') return pipe(pieces, process.stdout, false)
  const path = resolve(output)
  const draft = `${path}.partial`
  try {
    await pipe(pieces, createWriteStream(draft), true)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function pipe(pieces: AsyncIterable<Buffer>, target: Writable, end: boolean): Promise<void> {
  try {
    await pipeline(pieces, target, { end })
  } catch (error) {
    if (error instanceof Refusal) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EPIPE') throw new Refusal('The reader of the document closed the pipe.')
    if (code !== undefined) throw new Refusal(`The document cannot be written: ${message}.`)
    throw error
  }
}
