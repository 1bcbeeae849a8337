<#
.SYNOPSIS
Installs the theurian executable for this user.

.DESCRIPTION
Downloads the archive for Windows and SHA256SUMS, refuses what does not match, and puts one file into
a folder. It registers nothing, runs no setup, needs no administrator and changes no profile. Nothing
that was downloaded runs before its checksum was found right.

.PARAMETER Version
The version to install; the latest release unless given.

.PARAMETER BinDir
Where the executable goes; ~\.local\bin unless given.

.PARAMETER DryRun
Say what would be done, and change nothing.

.PARAMETER BaseUrl
Another place that holds the releases (https, or http on 127.0.0.1).
#>
[CmdletBinding()]
param(
  [string] $Version = '',
  [string] $BinDir = '',
  [switch] $DryRun,
  [string] $BaseUrl = 'https://github.com/theurian/theurian/releases'
)

Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'
# The progress bar makes large downloads many times slower.
$ProgressPreference = 'SilentlyContinue'

$Target = 'x86_64-pc-windows-msvc'
$VersionPattern = '[0-9]+\.[0-9]+\.[0-9]+(?:-(?:dev|alpha|beta|rc)\.[0-9]+)?'

function Stop-Install([string] $Message, [string] $Remedy) {
  [Console]::Error.WriteLine("error: $Message")
  [Console]::Error.WriteLine($Remedy)
  exit 1
}

function Get-Remote([string] $Address, [string] $Path) {
  try {
    Invoke-WebRequest -Uri $Address -OutFile $Path -UseBasicParsing
    return $true
  } catch {
    return $false
  }
}

function Get-Digest([string] $Path) {
  return (Get-FileHash -Algorithm SHA256 -LiteralPath $Path).Hash.ToLowerInvariant()
}

# The digest that a sums file lists for one name, or nothing.
function Get-ListedDigest([string] $Name, [string] $Path) {
  foreach ($line in Get-Content -LiteralPath $Path) {
    if ($line -cmatch '^([0-9a-f]{64})  (.+)$' -and $Matches[2] -ceq $Name) { return $Matches[1] }
  }
  return ''
}

function Assert-Digest([string] $Path, [string] $Wanted, [string] $Name) {
  $found = Get-Digest $Path
  if ($Wanted -eq '' -or $found -cne $Wanted) {
    Stop-Install "The checksum of $Name is wrong: nothing was installed" `
      "Run this script again. If it stays wrong do not use that download. Expected $Wanted, got $found."
  }
}

function Assert-Options {
  if ($Version -ne '' -and $Version -cnotmatch "^v?$VersionPattern$") {
    [Console]::Error.WriteLine('Error: -Version is no version such as 0.6.0')
    exit 2
  }
  if ($BaseUrl -notmatch '^(https://|http://127\.0\.0\.1[:/])') {
    [Console]::Error.WriteLine('Error: -BaseUrl has to begin with https://')
    exit 2
  }
  if (-not [Environment]::Is64BitOperatingSystem) {
    Stop-Install 'There is no release for 32-bit Windows' 'Use a 64-bit system.'
  }
}

# Refuses to write over what another installer keeps.
function Assert-Destination([string] $Destination) {
  if (-not (Test-Path -LiteralPath $Destination)) { return }
  $item = Get-Item -LiteralPath $Destination -Force
  if ($item.PSIsContainer -or ($item.Attributes -band [IO.FileAttributes]::ReparsePoint)) {
    Stop-Install "$Destination is no regular file: nothing was changed" `
      'Move it away, or choose another folder with -BinDir.'
  }
}

# A running executable can be renamed, not replaced.
function Move-IntoPlace([string] $Work, [string] $BinDir) {
  $destination = Join-Path $BinDir 'theurian.exe'
  $sums = Join-Path $BinDir 'theurian.sha256'
  $old = Join-Path $BinDir 'theurian.exe.old'
  Remove-Item -LiteralPath $sums, $old -Force -ErrorAction SilentlyContinue
  if (Test-Path -LiteralPath $destination) { Move-Item -LiteralPath $destination -Destination $old -Force }
  try {
    Move-Item -LiteralPath (Join-Path $Work 'theurian.exe') -Destination $destination
  } catch {
    if (Test-Path -LiteralPath $old) { Move-Item -LiteralPath $old -Destination $destination }
    throw
  }
  Move-Item -LiteralPath (Join-Path $Work 'theurian.sha256') -Destination $sums
  Remove-Item -LiteralPath $old -Force -ErrorAction SilentlyContinue
}

function Install-Theurian {
  Assert-Options
  [Net.ServicePointManager]::SecurityProtocol = `
    [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
  $wantedVersion = $Version -replace '^v', ''
  $releases = $BaseUrl.TrimEnd('/')
  $folder = $BinDir
  if ($folder -eq '') { $folder = Join-Path (Join-Path $HOME '.local') 'bin' }
  $folder = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($folder)
  $destination = Join-Path $folder 'theurian.exe'
  Assert-Destination $destination
  $parent = $folder
  if ($DryRun) { $parent = [IO.Path]::GetTempPath() }
  $work = Join-Path $parent ('.theurian-install.' + [Guid]::NewGuid().ToString('N'))
  New-Item -ItemType Directory -Force -Path $work | Out-Null
  try {
    $place = "$releases/latest/download"
    if ($wantedVersion -ne '') { $place = "$releases/download/core-v$wantedVersion" }
    $sums = Join-Path $work 'SHA256SUMS'
    if (-not (Get-Remote "$place/SHA256SUMS" $sums)) {
      Stop-Install 'There is no such release that can be reached' `
        "Look at $releases for the versions there are, and at the connection."
    }
    if ($wantedVersion -eq '') {
      foreach ($line in Get-Content -LiteralPath $sums) {
        if ($line -cmatch "^[0-9a-f]{64}  theurian-($VersionPattern)-$Target\.zip$") { $wantedVersion = $Matches[1] }
      }
      if ($wantedVersion -eq '') {
        Stop-Install "The latest release holds nothing for $Target" `
          "Look at $releases, and name a version with -Version."
      }
      $place = "$releases/download/core-v$wantedVersion"
    }
    $archive = "theurian-$wantedVersion-$Target.zip"
    $wanted = Get-ListedDigest $archive $sums
    if ($wanted -eq '') {
      Stop-Install "Release $wantedVersion lists no checksum for ${archive}: nothing was installed" `
        "Look at $releases for another version."
    }
    if ($DryRun) {
      Write-Output "Would download $place/$archive"
      Write-Output "Would check that its SHA-256 is $wanted"
      Write-Output "Would write $destination and theurian.sha256 beside it"
      Write-Output 'Nothing was changed.'
      return
    }
    $packed = Join-Path $work $archive
    if (-not (Get-Remote "$place/$archive" $packed)) {
      Stop-Install "$archive could not be downloaded" 'Look at the connection, then run this script again.'
    }
    Assert-Digest $packed $wanted $archive
    Expand-Archive -LiteralPath $packed -DestinationPath $work -Force
    $executable = Join-Path $work 'theurian.exe'
    Assert-Digest $executable (Get-ListedDigest 'theurian.exe' (Join-Path $work 'theurian.sha256')) 'theurian.exe'
    $said = & $executable version --json | Out-String
    if ($LASTEXITCODE -ne 0 -or $said -notmatch [Regex]::Escape("`"version`": `"$wantedVersion`"")) {
      Stop-Install 'The downloaded executable does not run here, or is of another version: nothing was changed' `
        'Report this, and choose another version with -Version.'
    }
    Move-IntoPlace $work $folder
  } finally {
    Remove-Item -LiteralPath $work -Recurse -Force -ErrorAction SilentlyContinue
  }
  Write-Output "Installed theurian $wantedVersion as $destination"
  if (($env:PATH -split ';') -notcontains $folder) {
    Write-Output 'It is not on your PATH. To add it for new terminals, run:'
    Write-Output ('  [Environment]::SetEnvironmentVariable("Path", "' + $folder + ';" + [Environment]::GetEnvironmentVariable("Path", "User"), "User")')
  }
  Write-Output 'Next: theurian setup'
}

Install-Theurian
