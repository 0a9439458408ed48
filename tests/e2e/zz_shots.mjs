import { chromium } from "@playwright/test";
const only = process.argv[2]; const sizes = process.argv[3] ?? "wide,phone"; const themes=(process.argv[4]??"light,dark").split(",");
const base = "http://127.0.0.1:8611";
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox","--autoplay-policy=no-user-gesture-required"] });
const now = Date.now();
const seed = { "lesson-player.progress": JSON.stringify([{lesson:1,position:146,duration:147.96,completed:true,studied_at:now-86400000},{lesson:2,position:83,duration:140,completed:false,studied_at:now-3600000}]),
 "lesson-player.notes": JSON.stringify([{id:1,lesson:1,position:62,text:"描述要写清楚何时用，不只是做什么。",written_at:now},{id:2,lesson:2,position:41.2,text:"Names: [A-Za-z0-9_.:-]{1,64}",written_at:now},{id:3,lesson:2,position:70,text:"超出时从最早登记的开始丢弃。",written_at:now}]) };
const pages = { course:"/", lesson:"/lessons/2", records:"/records", profile:"/profile", settings:"/settings", missing:"/nowhere" };
for (const [sizeName,size] of Object.entries({wide:{width:1280,height:800},phone:{width:390,height:844}})) {
  if(!sizes.includes(sizeName)) continue;
  for (const theme of themes) {
    const context = await browser.newContext({ viewport: size, locale: "zh-CN", deviceScaleFactor: 1, colorScheme: theme, hasTouch: sizeName==="phone" });
    await context.addInitScript((seed)=>{ if(!localStorage.getItem("seeded")){ for(const [k,v] of Object.entries(seed)) localStorage.setItem(k,v); localStorage.setItem("seeded","1"); } }, seed);
    const page = await context.newPage();
    page.on("console", m => { if(["error","warning"].includes(m.type())) console.log(sizeName,theme,m.type(),m.text().slice(0,400)); });
    page.on("pageerror", e => console.log("PAGEERROR", e.message.slice(0,600)));
    for (const [name,path] of Object.entries(pages)) {
      if (only && only!=="all" && !only.split(",").includes(name)) continue;
      await page.goto(base+path);
      await page.waitForSelector("h1",{timeout:60000});
      await page.waitForTimeout(900);
      await page.screenshot({ path: `/tmp/app-shots/${name}-${sizeName}-${theme}.png` });
      if(name==="lesson" && sizeName==="phone"){ await page.click(".agent-opener"); await page.waitForTimeout(600); await page.screenshot({ path: `/tmp/app-shots/sheet-${sizeName}-${theme}.png` }); }
    }
    await context.close();
  }
}
await browser.close();
