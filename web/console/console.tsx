import { render } from "preact";
import { SESSION_ENDED } from "./api/request.ts";
import { App } from "./app/app.tsx";
import { startPreferences } from "./app/preferences.ts";
import { startRenewals } from "./app/renewals.ts";
import { startRouting } from "./app/route.ts";
import { forgetSession, resumeSession } from "./app/session.ts";

startPreferences();
startRouting();
addEventListener(SESSION_ENDED, forgetSession);
startRenewals();
const root = document.getElementById("console");
if (root) render(<App />, root);
void resumeSession();
