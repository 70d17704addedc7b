const benches = [
  'overhead',
  'ingest',
  'search',
  'import',
  'large',
  'export',
  'feed',
  'taxii',
  'graph',
  'web',
  'fairness',
  'consolidate',
  'attack',
  'rag',
] as const

const [name = '', ...args] = process.argv.slice(2)

if (!benches.some((known) => known === name)) {
  console.error(`Usage: npm run bench -- <name> [options]\n\nBenchmarks: ${benches.join(', ')}`)
  process.exit(1)
}
const { bench } = await import(`./${name}.ts`)
await bench(args)
process.exit()
