import type { Server } from '../../server.ts'
import { embedPassages } from './embed-passages.ts'
import { beginPassages, readExisting } from './read-existing.ts'
import { readSetup } from './setup.ts'
import { isUpToDate, removeSpaces } from './spaces.ts'

/** Then other work of the process has its turn. */
const MAX_BATCHES = 20

/** Makes passages of what was stored before AI was used, and embeds all passages if an embedding model is selected. */
export async function keepPassages(server: Server, signal: AbortSignal): Promise<void> {
  const { isOn, isSelected, embedder } = await readSetup(server)
  if (!isOn) return
  await beginPassages(server.db)
  for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch++) if (!(await readExisting(server.db))) break
  if (embedder) {
    // Usually nothing has changed, and nothing is written.
    if (!(await isUpToDate(server.db, embedder))) await embedPassages(server, signal)
  } else if (!isSelected) await removeSpaces(server.db)
}
