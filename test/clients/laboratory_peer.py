"""A laboratory that writes and reads HL7 v2 with hl7apy, a library of others.

`write <version>` prints an ORU^R01 message with the values of the JSON object on the standard input. `check` validates
the message on the standard input and prints its structure and, of an acknowledgement, MSA-1 and MSA-2.
"""

import json
import sys

from hl7apy.core import Message
from hl7apy.parser import parse_message
from hl7apy.validation import Validator


def write(version, wish):
    message = Message("ORU_R01", version=version)
    message.msh.msh_3 = "LIS"
    message.msh.msh_4 = "LAB"
    message.msh.msh_7 = wish["reported"]
    message.msh.msh_9 = "ORU^R01" if version.startswith("2.3") else "ORU^R01^ORU_R01"
    message.msh.msh_10 = wish["control"]
    message.msh.msh_11 = "P"
    result = message.add_group("ORU_R01_RESPONSE" if version == "2.3" else "ORU_R01_PATIENT_RESULT")
    patient = result.add_group("ORU_R01_PATIENT").add_segment("PID")
    patient.pid_3 = "P-1^^^LAB^PI"
    patient.pid_5 = f"{wish['last_name']}^{wish['first_name']}"
    patient.pid_7 = wish["dob"]
    patient.pid_8 = "F"
    order = result.add_group("ORU_R01_ORDER_OBSERVATION")
    request = order.add_segment("OBR")
    request.obr_2 = wish["requisition"]
    request.obr_3 = wish.get("report", f"R-{wish['control']}")
    request.obr_4 = "90546^General wellness^L"
    request.obr_7 = wish["reported"]
    request.obr_22 = wish["reported"]
    request.obr_25 = wish.get("status", "F")
    if version.startswith("2.3"):
        request.obr_27 = "1"
    for place, (kind, code, value, *status) in enumerate(wish["observations"], 1):
        obx = order.add_group("ORU_R01_OBSERVATION").add_segment("OBX")
        obx.obx_1 = str(place)
        obx.obx_2 = kind
        obx.obx_3 = code
        obx.obx_4 = "1"
        obx.obx_5 = value
        obx.obx_11 = status[0] if status else "F"
    Validator.validate(message)
    return message.to_er7()


def check(text):
    message = parse_message(text, find_groups=True)
    Validator.validate(message)
    found = {"structure": message.name}
    if message.name == "ACK":
        found["code"] = message.msa.msa_1.to_er7()
        found["about"] = message.msa.msa_2.to_er7()
    return json.dumps(found)


if sys.argv[1] == "write":
    sys.stdout.write(write(sys.argv[2], json.load(sys.stdin)))
else:
    sys.stdout.write(check(sys.stdin.read()))
