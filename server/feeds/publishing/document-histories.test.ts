import { jsonConsumer, stix1Consumer, stixConsumer, taxiiConsumer } from '../../../test/publishing/consumers.ts'
import { type Kind, kind, testHistories } from '../../../test/publishing/histories.ts'

const STIX = 'urn:oasis:stix:json:2.1'

const collection = (update_strategy: string): Kind => ({
  ...kind(STIX, update_strategy, () => taxiiConsumer(update_strategy === 'REPLACE')),
  transport_type: 'eiq.outgoing-transports.taxii2',
})

// Together with those of tables, a thousand histories of feeds are tested.
testHistories([
  kind(STIX, 'APPEND', stixConsumer),
  kind('urn:eclecticiq.com:json:3.2', 'APPEND', jsonConsumer),
  kind('urn:eclecticiq.com:json:2.0', 'APPEND', jsonConsumer),
  kind('urn:stix.mitre.org:xml:1.2', 'APPEND', stix1Consumer),
  collection('REPLACE'),
  collection('APPEND'),
])
