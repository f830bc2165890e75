# PowerShell completion for cupel: cupel completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName cupel -ScriptBlock {
    param($word, $ast, $position)
    $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
    $new = @(if ($word -eq '') { '--new' })
    $lines = @(cupel __complete @new -- @words 2>$null)
    if ($lines.Count -eq 0) { return }
    $kind, $keep = $lines[0] -split "`t", 2
    if ($kind -ne 'words') {
        # without an answer PowerShell completes names of files; behind --output= it needs help
        if ($keep -ne '') {
            [System.Management.Automation.CompletionCompleters]::CompleteFilename($word.Substring($keep.Length)) | ForEach-Object {
                [System.Management.Automation.CompletionResult]::new($keep + $_.CompletionText, $_.ListItemText, $_.ResultType, $_.ToolTip)
            }
        }
        return
    }
    $lines | Select-Object -Skip 1 | ForEach-Object {
        $name, $means = $_ -split "`t", 2
        if (-not $means) { $means = $name }
        [System.Management.Automation.CompletionResult]::new($keep + $name, $name, 'ParameterValue', $means)
    }
}
