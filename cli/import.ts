import type { Command } from 'commander'
import { type Connection, TOKEN_EPILOGUE, type Where, withConnection, withServerOptions } from './connection.ts'
import { type Imported, importOne, type Manner } from './import/import-one.ts'
import { sourcesOf } from './import/sources.ts'
import { print } from './output.ts'
import { Refusal } from './refusal.ts'
import { repeatable } from './repeatable.ts'

interface Options extends Where, Manner {}

const EPILOGUE = `
Files may be STIX 2 bundles, STIX 1 packages, platform JSON, CSV, MISP events, OpenIOC, text, HTML, Markdown, e-mails, PDF, DOCX, and
zip, gzip or tar archives of these. The format is detected from the content. Folders are imported with all their files; "-" is
standard input. Importing the same file again changes nothing.
${TOKEN_EPILOGUE}

Exit codes: 0 all files were processed, even if some details were lost; 1 at least one failed; 2 invalid command.

Examples:
  corvus import bundle.json reports/
  curl -s https://feed.example/bundle.json | corvus import - --name bundle.json --tag feed
  CORVUS_TOKEN=cvs_… corvus import events.zip --password infected --url https://corvus.example.org`

/** Adds the command that imports files into a server. */
export function addImportCommand(program: Command, isJson: () => boolean): void {
  const command = program
    .command('import <file...>')
    .description('import files into a running server and wait until they are processed')
    .option('--name <name>', 'the file name for standard input')
    .option('--source <id>', 'the source of the entities; by default that of your first group')
    .addOption(repeatable('--tag <tag>', 'a tag for all entities'))
    .option('--tlp <colour>', 'the TLP colour of entities that have none, such as AMBER')
    .option('--csv-mapping <id>', 'the CSV mapping to use')
    .option('--password <password>', 'the password of archives')
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
  if (sources.length === 0) throw new Refusal('No files found.')
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
