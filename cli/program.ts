import { Command } from 'commander'
import { root, version } from '../server/config.ts'
import { addDemoCommand } from './demo.ts'
import { addExportCommand } from './export.ts'
import { addImportCommand } from './import.ts'
import { print, printRecord } from './output.ts'

const EPILOGUE = `
The installation is the one that CORVUS_DATA or DATABASE_URL name, as for npm start; it may be running.
Exit codes: 0 done, 1 it could not be done, 2 the command was not understood.`

/**
 * The corvus command: what each subcommand is called, takes and does. What only some of them need is loaded when it is their turn: most of
 * what a command takes would be loading the server.
 */
export function buildProgram(): Command {
  const program = new Command('corvus')
    .description('Runs and looks after a Corvus installation.')
    .version(version)
    .option('--json', 'print JSON for programs')
    .addHelpText('after', EPILOGUE)
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)')
  const isJson = () => program.opts().json === true

  program
    .command('serve')
    .description('serve the API and do background work, like npm start')
    .action(async () => (await import('../server/start.ts')).start('serve'))
  program
    .command('worker')
    .description('do background work only')
    .action(async () => (await import('../server/start.ts')).start('worker'))
  program
    .command('migrate')
    .description('bring the database to this version')
    .action(async () => {
      const { withDatabase } = await import('./installation.ts')
      const { migrate } = await import('../server/database/database.ts')
      const names = await withDatabase(({ pool }) => migrate(pool, `${root}/migrations`))
      print(
        names.map((name) => ({ migration: name })),
        isJson(),
      )
    })
  program
    .command('status')
    .description('show version, database and what is going on')
    .action(async () => printRecord(await (await import('./status.ts')).status(), isJson()))
  addUserCommands(program.command('user').description('make users and help those who cannot sign in'), isJson)
  addTokenCommands(program.command('token').description('make and end API tokens'), isJson)
  program
    .command('backup <file>')
    .description('write the whole installation into one file, also while it runs')
    .option('--without-key', 'leave out the key: sealed secrets in the backup are then lost without it')
    .action(async (file: string, options: { withoutKey?: boolean }) => {
      const { backup } = await import('./backup.ts')
      const { tables, has_key, made_at, blobs } = await backup(file, { withKey: !options.withoutKey })
      const files = blobs?.are_inside ? blobs.count : `in ${blobs?.place}`
      const missing = blobs?.missing.length ? { missing_files: blobs.missing.length } : {}
      printRecord({ file, made_at, tables: tables.length, with_key: has_key, files, ...missing }, isJson())
    })
  program
    .command('restore <file>')
    .description('put a backup into an empty installation that does not run')
    .option('--replace', 'delete what is there first')
    .action(async (file: string, options: { replace?: boolean }) => {
      const { restore } = await import('./restore.ts')
      const { made_at, tables } = await restore(file, { replace: options.replace === true })
      printRecord({ restored_from: file, made_at, tables: tables.length }, isJson())
    })
  addImportCommand(program, isJson)
  addExportCommand(program, isJson)
  addDemoCommand(program, isJson)
  for (const command of allOf(program)) command.exitOverride()
  return program
}

function addUserCommands(user: Command, isJson: () => boolean): void {
  user
    .command('create <name>')
    .description('make a user and print a one-time password')
    .option('--email <address>')
    .option('--role <name>', 'a role to give; may be repeated', collect, [])
    .option('--group <name>', 'a group to join; may be repeated', collect, [])
    .option('--password-stdin', 'read the password from standard input')
    .action(async (name: string, options) => printRecord(await (await users()).createUser(name, options), isJson()))
  user
    .command('reset-password <name>')
    .description('print a new one-time password, unlock the user and end their sessions')
    .action(async (name: string) => printRecord(await (await users()).resetPassword(name), isJson()))
  user
    .command('unlock <name>')
    .description('let a user sign in again after too many wrong passwords')
    .action(async (name: string) => {
      await (await users()).unlock(name)
      printRecord({ unlocked: name }, isJson())
    })
}

function addTokenCommands(token: Command, isJson: () => boolean): void {
  token
    .command('create')
    .description('print a new token, alone on standard output')
    .requiredOption('--user <name>', 'whose token it is')
    .requiredOption('--name <label>', 'what it is for')
    .option('--expires <time>', 'when it ends, such as 2027-01-31; never if not given')
    .action(async ({ user, name, expires }: { user: string; name: string; expires?: string }) => {
      const made = await (await users()).makeToken(user, name, expires)
      console.log(isJson() ? JSON.stringify({ token: made }) : made)
    })
  token
    .command('list')
    .description('show the tokens of a user')
    .requiredOption('--user <name>', 'whose tokens')
    .action(async ({ user }: { user: string }) => print(await (await users()).tokensOf(user), isJson()))
  token
    .command('revoke <token>')
    .description('end a token, by its id or name')
    .requiredOption('--user <name>', 'whose token it is')
    .action(async (which: string, { user }: { user: string }) => {
      await (await users()).revoke(user, which)
      printRecord({ revoked: which }, isJson())
    })
}

const users = () => import('./users.ts')

const collect = (value: string, before: string[]): string[] => [...before, value]

const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)]
