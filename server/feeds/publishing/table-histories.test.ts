import { diffConsumer, replaceConsumer, rowsConsumer } from '../../../test/publishing/consumers.ts'
import { kind, testHistories } from '../../../test/publishing/histories.ts'

const [EXTRACTS, ENTITIES] = ['urn:eclecticiq.com:csv-extracts:1.0', 'urn:eclecticiq.com:csv-entities:1.0']

// Together with those of documents, a thousand histories of feeds are tested.
testHistories([
  kind(EXTRACTS, 'DIFF', diffConsumer),
  kind(EXTRACTS, 'DIFF', diffConsumer),
  kind(ENTITIES, 'DIFF', diffConsumer),
  kind(EXTRACTS, 'APPEND', rowsConsumer),
  kind(ENTITIES, 'APPEND', rowsConsumer),
  kind(EXTRACTS, 'REPLACE', replaceConsumer),
])
