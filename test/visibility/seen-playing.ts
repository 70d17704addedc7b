import type { PlaybookRun } from './playing.ts'
import type { Sight } from './seen-holdings.ts'
import type { Viewer, World } from './world.ts'

/** What a viewer sees of playbooks: all of them, and the runs on objects that they see. */
export function seenPlaying({ holdings }: World, { seen, viewer }: Sight, files: ReadonlySet<string>) {
  const isOwn = (run: PlaybookRun) => run.starter === viewer || ownerOf(holdings.playbooks, run) === viewer
  const runs = holdings.playbookRuns.filter((run) =>
    run.object === null ? isOwn(run) : seen.has(run.object) || files.has(run.object),
  )
  return {
    names: [...holdings.playbooks, ...runs].map(({ name }) => name),
    texts: [...holdings.playbooks, ...runs].map(({ name }) => `${name}reason`),
  }
}

const ownerOf = (playbooks: World['holdings']['playbooks'], { playbook }: PlaybookRun): Viewer | string | undefined =>
  playbooks.find(({ name }) => name === playbook)?.owner
