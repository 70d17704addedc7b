import type pg from 'pg'

/** What goes with a statement that was parsed, as `pg` hands it to its connection. */
interface Binding {
  readonly portal?: string
  readonly statement?: string
  readonly values?: readonly unknown[]
  readonly binary?: boolean
  valueMapper?(value: unknown, index: number): Buffer | string | null
}

interface Connection {
  readonly stream: { readonly writable: boolean; write(bytes: Buffer): boolean }
  bind(binding: Binding): void
}

/** What is smaller than this is quicker copied than written on its own. */
const LARGE = 1 << 16

/**
 * Lets a connection send large values from where they are. `pg` copies all values of a statement into one message, which
 * grows while it does: for a thousand entities that is three times the memory that they take. Until the statement is done,
 * nobody may change such a value.
 */
export function sendLargeInPlace(client: pg.ClientBase): void {
  const { connection } = client as unknown as { readonly connection: Connection }
  const usual = connection.bind
  connection.bind = (binding) => {
    if (binding.values?.some(isLarge)) bindInPieces(connection, binding)
    else usual.call(connection, binding)
  }
}

const isLarge = (value: unknown): value is Buffer => Buffer.isBuffer(value) && value.length >= LARGE

/** Bind: portal, statement, a format for each value, the values with their lengths, and one format for all results. */
function bindInPieces({ stream }: Connection, { portal, statement, values = [], binary, valueMapper }: Binding): void {
  const sent = values.map((value, i) => (valueMapper ? valueMapper(value, i) : (value as Buffer | string | null)))
  const body: Buffer[] = [
    Buffer.from(`${portal || ''}\0${statement || ''}\0`),
    numbers(16, sent.length, ...sent.map((value) => Number(Buffer.isBuffer(value))), sent.length),
    ...sent.flatMap((value) => {
      if (value === null || value === undefined) return [numbers(32, -1)]
      const bytes = Buffer.isBuffer(value) ? value : Buffer.from(value)
      return [numbers(32, bytes.length), bytes]
    }),
    numbers(16, 1, Number(binary ?? false)),
  ]
  const length = body.reduce((sum, piece) => sum + piece.length, 4)
  if (!stream.writable) return
  for (const piece of joined([Buffer.from('B'), numbers(32, length), ...body])) stream.write(piece)
}

function numbers(bits: 16 | 32, ...values: number[]): Buffer {
  const made = Buffer.allocUnsafe((values.length * bits) / 8)
  for (const [i, value] of values.entries()) {
    if (bits === 16) made.writeUInt16BE(value, i * 2)
    else made.writeInt32BE(value, i * 4)
  }
  return made
}

/** Few large pieces instead of many small ones. */
function joined(pieces: readonly Buffer[]): Buffer[] {
  const made: Buffer[] = []
  let small: Buffer[] = []
  for (const piece of pieces) {
    if (!isLarge(piece)) small.push(piece)
    else {
      made.push(Buffer.concat(small), piece)
      small = []
    }
  }
  return [...made, Buffer.concat(small)]
}
