import { idOf } from '../../api/lists.ts'
import { WorkspacePage } from '../../collaboration/workspaces/workspace.tsx'
import { MAX_ENTITIES, TextMenu } from './text-menu.tsx'

/** The page of a workspace, with what language models can do with its entities. */
export const WorkspaceWithMenu = () => (
  <WorkspacePage
    actions={({ entities }) => (
      <TextMenu
        count={Math.min(entities.length, MAX_ENTITIES)}
        readIds={async () => entities.slice(0, MAX_ENTITIES).map((url) => String(idOf(url)))}
        note={
          entities.length > MAX_ENTITIES
            ? `The first ${MAX_ENTITIES} of ${entities.length.toLocaleString('en')} entities.`
            : undefined
        }
        size="sm"
      />
    )}
  />
)
