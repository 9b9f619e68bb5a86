using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;

static class Check
{
    static void Main(string[] files)
    {
        foreach (var row in Rows(files[0]))
            Console.WriteLine(Signatures.SignWidget(
                Text(row["api_key_base64"]), row["pms"], Text(row["external_id_base64"])));
        foreach (var row in Rows(files[1]))
        {
            var raw = Convert.FromBase64String(row["body_base64"]);
            var genuine = Signatures.Verify(
                raw, row["id"], row["timestamp"], row["signature"], row["secret"], long.Parse(row["now"]));
            Console.WriteLine(genuine ? "true" : "false");
        }
    }

    static IEnumerable<Dictionary<string, string>> Rows(string path)
    {
        var lines = File.ReadAllLines(path, Encoding.UTF8).Select(line => line.Split('\t')).ToList();
        return lines.Skip(1).Select(values =>
            lines[0].Zip(values, (name, value) => new { name, value }).ToDictionary(it => it.name, it => it.value));
    }

    static string Text(string encoded)
    {
        return Encoding.UTF8.GetString(Convert.FromBase64String(encoded));
    }
}
