"""Reads a patient and the Observations of one code with SMART's Python client, and prints them as JSON.

The models of the client refuse elements of other types than R4 defines. Arguments: the URL of the FHIR interface, an API
key, the id of the patient, a code, the number of resources of a page.
"""

import json
import sys

from fhirclient import client
from fhirclient.models.observation import Observation
from fhirclient.models.patient import Patient

url, key, patient_id, code, count = sys.argv[1:]
smart = client.FHIRClient(settings={"app_id": "reader", "api_base": url})
smart.server.session.headers["x-service-api-key"] = key
patient = Patient.read(patient_id, smart.server)
search = Observation.where({"patient": patient_id, "code": code, "_count": count})
print(
    json.dumps(
        {
            "patient": patient.as_json(),
            "observations": [one.as_json() for one in search.perform_resources_iter(smart.server)],
        }
    )
)
