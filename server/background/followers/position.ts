import { createCipheriv, createDecipheriv } from 'node:crypto'
import { type Kysely, sql } from 'kysely'

/** A position in the change log: after a number of objects of a write. */
export interface Position {
  /** The id of its row; 0 for the beginning. */
  readonly change: number
  readonly item: number
}

/** Encodes positions for clients. */
export interface Positions {
  write(position: Position): string
  /** Undefined if the text was not written by this installation. */
  read(text: string): Position | undefined
}

export const START: Position = { change: 0, item: 0 }

const CIPHER = 'aes-128-ecb'
/** The last bytes of a block, which identify our own. */
const SEAL = 0x636f7276

/** Reads the key of this installation. A position is one encrypted block, always the same, which reveals nothing about other positions. */
export async function readPositions(db: Kysely<unknown>): Promise<Positions> {
  const { rows } = await sql<{ key: string }>`select key from stream_key`.execute(db)
  return positionsWith(Buffer.from((rows[0]?.key ?? '').replaceAll('-', ''), 'hex'))
}

export function positionsWith(key: Buffer): Positions {
  return {
    write: ({ change, item }) => {
      const block = Buffer.alloc(16)
      block.writeBigUInt64BE(BigInt(change))
      block.writeUInt32BE(item, 8)
      block.writeUInt32BE(SEAL, 12)
      const cipher = createCipheriv(CIPHER, key, null).setAutoPadding(false)
      return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url')
    },
    read: (text) => {
      if (!/^[\w-]{22}$/.test(text)) return undefined
      const decipher = createDecipheriv(CIPHER, key, null).setAutoPadding(false)
      const block = Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()])
      if (block.readUInt32BE(12) !== SEAL) return undefined
      return { change: Number(block.readBigUInt64BE()), item: block.readUInt32BE(8) }
    },
  }
}
