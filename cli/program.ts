import { Command } from 'commander'
import { root, version } from '../server/config.ts'
import { addAttackCommand } from './attack.ts'
import { addDemoCommand } from './demo.ts'
import { addExportCommand } from './export.ts'
import { addImportCommand } from './import.ts'
import { print, printRecord } from './output.ts'
import { repeatable } from './repeatable.ts'

const EPILOGUE = `
The installation is selected by CORVUS_DATA or DATABASE_URL, as for npm start; it may be running.
Exit codes: 0 success, 1 failure, 2 invalid command.`

/**
 * The corvus command with its subcommands. Their modules are loaded on demand, because loading the server takes most
 * of a command's time.
 */
export function buildProgram(): Command {
  const program = new Command('corvus')
    .description('Runs and maintains a Corvus installation.')
    .version(version)
    .option('--json', 'print JSON')
    .addHelpText('after', EPILOGUE)
    .exitOverride()
    .showHelpAfterError('(use --help for a list)')
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
    .description('migrate the database to this version')
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
    .description('show version, database and current activity')
    .action(async () => printRecord(await (await import('./status.ts')).status(), isJson()))
  addUserCommands(program.command('user').description('create users and restore their access'), isJson)
  addTokenCommands(program.command('token').description('create and revoke API tokens'), isJson)
  program
    .command('backup <file>')
    .description('back up the whole installation to one file, even while it runs')
    .option('--without-key', 'leave out the key; without it, the sealed secrets in the backup cannot be read')
    .action(async (file: string, options: { withoutKey?: boolean }) => {
      const { backup } = await import('./backup.ts')
      const { tables, has_key, made_at, blobs } = await backup(file, { withKey: !options.withoutKey })
      const files = blobs?.are_inside ? blobs.count : `in ${blobs?.place}`
      const missing = blobs?.missing.length ? { missing_files: blobs.missing.length } : {}
      printRecord({ file, made_at, tables: tables.length, with_key: has_key, files, ...missing }, isJson())
    })
  program
    .command('restore <file>')
    .description('restore a backup into an empty installation that is not running')
    .option('--replace', 'delete the existing installation first')
    .action(async (file: string, options: { replace?: boolean }) => {
      const { restore } = await import('./restore.ts')
      const { made_at, tables } = await restore(file, { replace: options.replace === true })
      printRecord({ restored_from: file, made_at, tables: tables.length }, isJson())
    })
  addImportCommand(program, isJson)
  addExportCommand(program, isJson)
  addAttackCommand(program, isJson)
  addDemoCommand(program, isJson)
  for (const command of allOf(program)) command.exitOverride()
  return program
}

function addUserCommands(user: Command, isJson: () => boolean): void {
  user
    .command('create <name>')
    .description('create a user and print a one-time password')
    .option('--email <address>', 'the e-mail address of the user')
    .addOption(repeatable('--role <name>', 'a role to grant'))
    .addOption(repeatable('--group <name>', 'a group to join'))
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
    .description('create a token and print only the token')
    .requiredOption('--user <name>', 'the owner of the token')
    .requiredOption('--name <label>', 'the purpose of the token')
    .option('--expires <time>', 'the expiry, such as 2027-01-31; by default the token never expires')
    .action(async ({ user, name, expires }: { user: string; name: string; expires?: string }) => {
      const made = await (await users()).makeToken(user, name, expires)
      console.log(isJson() ? JSON.stringify({ token: made }) : made)
    })
  token
    .command('list')
    .description('list the tokens of a user')
    .requiredOption('--user <name>', 'the owner of the tokens')
    .action(async ({ user }: { user: string }) => print(await (await users()).tokensOf(user), isJson()))
  token
    .command('revoke <token>')
    .description('revoke a token by id or name')
    .requiredOption('--user <name>', 'the owner of the token')
    .action(async (which: string, { user }: { user: string }) => {
      await (await users()).revoke(user, which)
      printRecord({ revoked: which }, isJson())
    })
}

const users = () => import('./users.ts')

const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)]
