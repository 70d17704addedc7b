// Generated from the definitions of the server by `npx node scripts/web-types.ts`. Do not edit.

/** Everything that entities can be exported as. */
export const CONTENT_TYPES: readonly { readonly urn: string; readonly doc: string; readonly hasObservables: boolean }[] =
  [
    {
      "urn": "urn:oasis:stix:json:2.1",
      "doc": "STIX 2.1 bundle",
      "hasObservables": true
    },
    {
      "urn": "urn:stix.mitre.org:xml:1.2",
      "doc": "STIX 1.2 package",
      "hasObservables": true
    },
    {
      "urn": "urn:eclecticiq.com:json:3.2",
      "doc": "platform JSON, with nothing left out",
      "hasObservables": true
    },
    {
      "urn": "urn:eclecticiq.com:json:2.0",
      "doc": "platform JSON as older clients read it",
      "hasObservables": true
    },
    {
      "urn": "urn:misp:json:1.0",
      "doc": "MISP events",
      "hasObservables": true
    },
    {
      "urn": "urn:misp:feed:1.0",
      "doc": "the folder of a MISP feed in one archive",
      "hasObservables": true
    },
    {
      "urn": "urn:eclecticiq.com:csv-entities:1.0",
      "doc": "a line per entity",
      "hasObservables": true
    },
    {
      "urn": "urn:eclecticiq.com:csv-extracts:1.0",
      "doc": "a line per observable and entity",
      "hasObservables": true
    },
    {
      "urn": "urn:eclecticiq.com:attachments-zip:1.0",
      "doc": "the attachments of the entities in one archive",
      "hasObservables": false
    }
  ]

/** The content types that incoming feeds can claim. */
export const READABLE_URNS: readonly string[] = [
  "urn:oasis:stix:json:2.1",
  "urn:stix.mitre.org:xml:1.2",
  "urn:eclecticiq.com:json:3.2",
  "urn:eclecticiq.com:json:2.0",
  "urn:misp:json:1.0",
  "urn:eclecticiq.com:csv-entities:1.0",
  "urn:eclecticiq.com:csv-extracts:1.0",
  "urn:oasis:stix:json:2.0",
  "urn:stix.mitre.org:xml:1.0",
  "urn:stix.mitre.org:xml:1.0.1",
  "urn:stix.mitre.org:xml:1.1",
  "urn:stix.mitre.org:xml:1.1.1"
]
