import type { Command } from 'commander'
import { type Connection, TOKEN_EPILOGUE, type Where, withConnection, withServerOptions } from './connection.ts'
import { type Imported, importOne, type Manner } from './import/import-one.ts'
import { sourcesOf } from './import/sources.ts'
import { print } from './output.ts'
import { Refusal } from './refusal.ts'

interface Options extends Where, Manner {}

const EPILOGUE = `
Files may be STIX 2 bundles, STIX 1 packages, platform JSON, CSV, MISP events, OpenIOC, text, HTML, Markdown, mails, PDF, DOCX, and
zip, gzip or tar archives of these: what a file is, its content tells. Of a folder all files are taken, of "-" standard input.
The same file again changes nothing.
${TOKEN_EPILOGUE}

Exit codes: 0 all files were processed, also where parts of some were lost; 1 one of them was not; 2 the command was not understood.

  corvus import bundle.json reports/
  curl -s https://feed.example/bundle.json | corvus import - --name bundle.json --tag feed
  CORVUS_TOKEN=cvs_… corvus import events.zip --password infected --url https://corvus.example.org`

/** Adds the command that brings files into a server. */
export function addImportCommand(program: Command, isJson: () => boolean): void {
  const command = program
    .command('import <file...>')
    .description('bring files into a running server and wait until they are processed')
    .option('--name <name>', 'what standard input is called')
    .option('--source <id>', 'the source that entities are assigned to; that of your first group if not given')
    .option('--tag <tag>', 'a tag for all entities; may be repeated', (tag, before: string[]) => [...before, tag], [])
    .option('--tlp <colour>', 'the colour of entities that have none, such as AMBER')
    .option('--csv-mapping <id>', 'how CSV is read')
    .option('--password <password>', 'opens archives')
    .option('--no-wait', 'do not wait until the files are processed')
  withServerOptions(command)
    .addHelpText('after', EPILOGUE)
    .action(async (files: string[], options: Options) => {
      const imported = await withConnection(options, (connection) => importAll(connection, files, options))
      print(imported.map(shown), isJson())
      const failed = imported.filter(({ state }) => FAILED.has(state)).length
      if (failed > 0) throw new Refusal(`${failed} of ${imported.length} files could not be processed.`)
    })
}

const FAILED = new Set(['REFUSED', 'FAILURE', 'REVOKED'])

async function importAll(connection: Connection, files: readonly string[], options: Options): Promise<Imported[]> {
  const sources = await sourcesOf(files, options.name)
  if (sources.length === 0) throw new Refusal('There are no files in what was given.')
  const imported: Imported[] = []
  for (const source of sources) {
    if (connection.stop.isAsked()) break
    imported.push(await importOne(connection, source, options, process.stderr))
  }
  return imported
}

/** A row of the summary. */
const shown = ({ name, format, state, counts, reason }: Imported): Record<string, unknown> => ({
  file: name,
  format,
  state,
  entities: countOf(counts.entities),
  relationships: countOf(counts.relationships),
  observables: countOf(counts.observables),
  lost: counts.lost,
  reason,
})

const countOf = (counts: Readonly<Record<string, number>> | undefined): string | undefined =>
  counts &&
  Object.entries(counts)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ')
