// The one page: its places, each drawn into `main` while its address is open.

import { history } from "./history.js";
import { invite } from "./invite.js";
import { keys } from "./keys.js";
import { more } from "./more.js";
import { network } from "./network.js";
import { pair } from "./pair.js";
import { play } from "./play.js";
import { open } from "./shell.js";
import { table } from "./table.js";
import "./undoing.js";

open({ table, play, more, invite, keys, history, pair, network });
